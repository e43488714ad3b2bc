// Freezes the owner of a shard for twice its lease, and wakes it with requests in its sockets. It
// must neither show a book older than what another node has shown, nor store anything twice.

import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../../support/process/outcry-process.ts'
import type { Random } from '../../support/process/random.ts'
import { leaseMs, untilReady } from '../support/cluster.ts'
import type { ShardLoad } from '../support/shard-load.ts'
import { type FaultRun, loadsOf } from './fault-run.ts'

const connections = 8
const lateOrders = 4
const booksAfterWaking = 20
const answersMax = 60
const answersWaitMs = 30_000
/** In which the node answers the requests that it has read. */
const quietMs = 200

export type Freeze = { readonly tookMs: number; readonly violations: readonly string[] }

export type FreezeOptions = {
  readonly random: Random
  /** It wakes with queries for a book only: orders in the same turn would hold them up. */
  readonly isAskedForBooks: boolean
}

export async function freezeOwner(run: FaultRun, options: FreezeOptions): Promise<Freeze> {
  const { isAskedForBooks, random } = options
  const { cluster, loads } = run
  const load = random.pick(loads)
  await load.clients.answers(random.between(1, answersMax), answersWaitMs)
  const owner = await cluster.ownerOf(load.shard)
  const orphans = await loadsOf(run, owner)
  await load.probe(owner)
  const books = new OpenConnections(owner, load.bookPath)
  try {
    await books.read()
    if (isAskedForBooks) {
      cluster.live.remove(owner)
      await delay(quietMs)
    }
    const startedAt = performance.now()
    owner.process.kill('SIGSTOP')
    cluster.live.remove(owner)
    await Promise.all(orphans.map((orphan) => orphan.probe(cluster.live)))
    const tookMs = performance.now() - startedAt
    await load.probe(cluster.live)
    const other = cluster.live.next()
    const shown = Number((await other.request('GET', load.bookPath)).body.data.version)
    await delay(Math.max(0, startedAt + 2 * leaseMs - performance.now()))
    const orders = isAskedForBooks ? 0 : lateOrders
    const violations = await wake(owner, load, { books, orders, shown })
    cluster.live.add(owner)
    await untilReady(owner)
    return { tookMs, violations }
  } finally {
    owner.process.kill('SIGCONT')
    books.close()
  }
}

type Asked = {
  readonly books: OpenConnections
  /** How many orders wait for the node. */
  readonly orders: number
  /** The version that another node has shown. */
  readonly shown: number
}

async function wake(owner: Service, load: ShardLoad, asked: Asked): Promise<string[]> {
  const { books, shown } = asked
  // They wait in the sockets of the frozen node.
  const orders = Array.from({ length: asked.orders }, () => load.unkeyed.send(owner))
  const first = books.read()
  await delay(50)
  owner.process.kill('SIGCONT')
  const versions = await first
  for (let count = 0; count < booksAfterWaking; count += 1) versions.push(...(await books.read()))
  await Promise.all(orders)
  const old = versions.filter((version) => version !== null && version < shown)
  if (old.length === 0) return []
  return [`${old.length} old books: versions ${old.slice(0, 5).join(', ')} after ${shown}`]
}

/** Connections that are opened once, and read a book each time. */
class OpenConnections {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: connections })
  readonly #url: string

  constructor({ url }: Service, path: string) {
    this.#url = url + path
  }

  /** The versions; null where there was another answer. */
  async read(): Promise<(number | null)[]> {
    return Promise.all(Array.from({ length: connections }, () => this.#version()))
  }

  close(): void {
    this.#agent.destroy()
  }

  #version(): Promise<number | null> {
    return new Promise((resolve) => {
      const request = get(this.#url, { agent: this.#agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          resolve(response.statusCode === 200 ? Number(JSON.parse(text).data.version) : null)
        })
      })
      request.on('error', () => resolve(null))
    })
  }
}
