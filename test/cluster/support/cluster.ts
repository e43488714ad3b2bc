// A cluster of real processes that a fault test kills, freezes and restarts. Each node keeps its
// data folder over its restarts.

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeIdOf } from '../../../src/store/postgres/owner.ts'
import type { Defect } from '../../fault/support/planted-defects.ts'
import { serviceOptions } from '../../fault/support/process-options.ts'
import { nodeSettings } from '../../support/cluster/nodes.ts'
import { until } from '../../support/http/answers.ts'
import { newFolder, type Requestable, Service } from '../../support/process/outcry-process.ts'
import { query } from '../../support/store/postgres-databases.ts'
import type { ClusterDefect } from './cluster-defects.ts'
import { NodeNetwork } from './node-network.ts'

const program = new URL('./node-with-defects.ts', import.meta.url).pathname
const ownedWithinMs = 30_000
const sendTriesMax = 3

/** The shortest that the settings allow, which makes the tests faster. */
export const leaseMs = 2_000

type Env = Readonly<Record<string, string>>

export type ClusterOptions = {
  readonly url: string
  /** With 0, all of them are added later. */
  readonly nodes?: number
  readonly shards?: number
  /** Of every node. */
  readonly env?: Env
  /** Of the store of every node. */
  readonly defect?: Defect | undefined
  readonly clusterDefect?: ClusterDefect | undefined
  /** Whether the connections of each node can be cut; see `networkOf`. */
  readonly hasNetworks?: boolean | undefined
}

export class Cluster {
  readonly url: string
  readonly shards: number
  readonly nodes: Service[] = []
  readonly live = new LiveNodes()
  readonly #env: Env
  readonly #hasNetworks: boolean
  /** By the folder of the node. */
  readonly #networks = new Map<string, NodeNetwork>()

  private constructor(options: ClusterOptions) {
    const { url, shards = 4, clusterDefect, defect = 'none', env = {} } = options
    this.url = url
    this.shards = shards
    this.#hasNetworks = options.hasNetworks ?? false
    this.#env = {
      ...serviceOptions(defect).env,
      ...nodeSettings(url),
      LOG_LEVEL: process.env.CLUSTER_LOG_LEVEL ?? 'error',
      SHARDS: String(shards),
      SHARD_LEASE_MS: String(leaseMs),
      ...(clusterDefect === undefined ? {} : { CLUSTER_DEFECT: clusterDefect }),
      ...env,
    }
  }

  /** Every shard has an owner when it resolves, and every node reaches the owners. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options)
    try {
      const { nodes = 3 } = options
      if (nodes === 0) return cluster
      await cluster.add()
      await Promise.all(Array.from({ length: nodes - 1 }, () => cluster.add()))
      await cluster.untilOwned()
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** Adds a node. */
  async add(env: Env = {}): Promise<Service> {
    const node = await this.#start(await newFolder(), env)
    this.live.add(node)
    return node
  }

  /** Starts a node that has ended, in its folder. It gets requests as soon as it is ready. */
  async startAgain(ended: Service): Promise<Service> {
    this.nodes.splice(this.nodes.indexOf(ended), 1)
    const node = await this.#start(ended.dataDir, {})
    await untilReady(node)
    this.live.add(node)
    return node
  }

  /** The node that holds the lease of each shard, or null. */
  async owners(): Promise<(Service | null)[]> {
    const heads = Array.from(
      { length: this.shards },
      (_, shard) =>
        `SELECT shard, owner, lease_until > clock_timestamp() AS is_held
         FROM outcry_shard_${shard}.head`,
    )
    const text = `${heads.join(' UNION ALL ')} ORDER BY shard`
    const rows = await query<{ owner: string; is_held: boolean }>(this.url, text)
    return rows.map(({ owner, is_held: isHeld }) => {
      const id = nodeIdOf(owner)
      return (isHeld ? this.nodes.find((node) => idOf(node) === id) : undefined) ?? null
    })
  }

  async ownerOf(shard: number): Promise<Service> {
    const owner = (await this.owners())[shard]
    if (owner == null) throw new Error(`Shard ${shard} has no owner.`)
    return owner
  }

  async shardsOf(node: Service): Promise<number[]> {
    return (await this.owners()).flatMap((owner, shard) => (owner === node ? [shard] : []))
  }

  async untilOwned(): Promise<void> {
    const areOwned = (owners: readonly (Service | null)[]) => owners.every((one) => one !== null)
    const owners = await until(() => this.owners(), areOwned, ownedWithinMs)
    if (!areOwned(owners)) throw new Error(`A shard has no owner after ${ownedWithinMs} ms.`)
    for (const node of this.live.all) await untilReady(node)
  }

  /** What the nodes have printed, for an error message. */
  printed(): string {
    return this.nodes.map((node) => `${node.url}:\n${node.printed()}`).join('\n')
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) {
      node.process.kill('SIGCONT')
      await node.kill()
      await rm(node.dataDir, { recursive: true, force: true })
    }
    for (const network of this.#networks.values()) network.close()
  }

  networkOf({ dataDir }: Service): NodeNetwork {
    const network = this.#networks.get(dataDir)
    if (network === undefined) throw new Error('The cluster was started without networks.')
    return network
  }

  async #start(dataDir: string, more: Env): Promise<Service> {
    if (this.#hasNetworks && !this.#networks.has(dataDir)) {
      this.#networks.set(dataDir, await NodeNetwork.open(this.url))
    }
    const env = { ...this.#env, ...this.#networks.get(dataDir)?.env, ...more }
    const node = await Service.start({ program, dataDir, env })
    this.nodes.push(node)
    return node
  }
}

/**
 * Sends each request to the next of the nodes that are in use. As clients must, it goes on at
 * another node if a connection is refused, or closed before the request was sent.
 */
export class LiveNodes implements Requestable {
  readonly #nodes: Service[] = []
  #count = 0

  readonly hasEnded = false

  get all(): readonly Service[] {
    return this.#nodes
  }

  add(node: Service): void {
    if (!this.#nodes.includes(node)) this.#nodes.push(node)
  }

  remove(node: Service): void {
    const at = this.#nodes.indexOf(node)
    if (at >= 0) this.#nodes.splice(at, 1)
  }

  /** Any of the nodes. */
  next(): Service {
    this.#count += 1
    return this.#nodes[this.#count % this.#nodes.length]!
  }

  readonly request: Service['request'] = async (...call) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.next().request(...call)
      } catch (error) {
        if (!isUnsent(error) || tries >= sendTriesMax) throw error
      }
    }
  }
}

/** Of an error of fetch. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'syscall' in cause && cause.syscall === 'connect'
}

export async function untilReady(node: Service, forMs = ownedWithinMs): Promise<void> {
  const status = async () => (await node.request('GET', '/ready')).status
  if ((await until(status, (is) => is === 200, forMs)) !== 200) {
    throw new Error(`A node was not ready within ${forMs} ms:\n${node.printed()}`)
  }
}

export function idOf({ dataDir }: Service): string {
  return readFileSync(join(dataDir, 'place.id'), 'utf8').split(' ')[0]!
}
