// A front end: a process that serves clients, and sends what it cannot answer to its primary or, on
// PostgreSQL, to whichever node owns the shard.

import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { FrontEndCalls, FrontEndStart, PrimaryCalls } from '../cluster/front-ends/calls.ts'
import { Channel } from '../cluster/front-ends/channel.ts'
import {
  type Primary,
  remoteAudit,
  remoteDirectory,
  remoteKeptAnswers,
  remoteKeyUses,
  remoteNodes,
  remoteRegistry,
} from '../cluster/front-ends/remote-stores.ts'
import type { Config } from '../config.ts'
import { openSqliteFrontEnd } from '../store/sqlite/front-end-store.ts'
import { type ClusterStore, StoreUnavailable } from '../store/store.ts'
import { frontEndSetup } from './node.ts'
import { openStore, type Role } from './shards.ts'
import { newBase, type Service, serve } from './start.ts'

const readyMsMax = 10_000
const readyCheckMs = 5

export class FrontEndProcess {
  readonly #primary: Channel<PrimaryCalls>
  /** Before it serves clients, nothing has to be finished. */
  #stop: () => void = () => process.exit(0)
  #onRegistryChanged = () => {}
  #ownMetrics = async () => ''

  constructor() {
    const own: FrontEndCalls = {
      stop: () => this.#stop(),
      onRegistryChanged: () => this.#onRegistryChanged(),
      metrics: () => this.#ownMetrics(),
    }
    const wire = {
      // After the primary has ended, this process ends, too.
      send: (message: unknown) => {
        if (process.connected) process.send?.(message, undefined, undefined, () => {})
      },
      onMessage: (listener: (message: unknown) => void) => process.on('message', listener),
    }
    this.#primary = new Channel<PrimaryCalls>(wire, own)
  }

  async start(config: Config): Promise<Service> {
    const start = await this.#primary.call('begin')
    const base = newBase(config)
    base.clock.continueFrom(start.now)
    this.#ownMetrics = () => base.metrics.text()
    const { listening } = start
    // The primary accepts for gRPC, on the same port for all, and creates the first operator.
    const own = { ...config, port: listening?.port ?? config.port, hasDemoOperator: false }
    const service = await serve(own, {
      base,
      role: config.databaseUrl === null ? this.#onSqlite(start) : onPostgres(config, start),
      isPortShared: listening !== null,
      untilReady,
      metricsText: () => this.#primary.call('metrics'),
    })
    const { url, port, grpcPort } = service
    await this.#primary.call('onListening', { url, port, grpcPort })
    return service
  }

  /** `stop` is called when the primary says so. */
  onStop(stop: () => void): void {
    this.#stop = stop
  }

  /** The primary prints the line and ends with the code. */
  async reportFailure(line: string, code: number): Promise<void> {
    await this.#primary.call('onFailed', line, code).catch(() => undefined)
  }

  #onSqlite({ nodeId, incarnation }: FrontEndStart): Role {
    const primary: Primary = this.#primary
    const cluster: ClusterStore = {
      nodeId,
      incarnation,
      directory: remoteDirectory(primary),
      openNodes: (about) =>
        remoteNodes(primary, about, (onChange) => {
          this.#onRegistryChanged = onChange
        }),
    }
    return {
      openStore: async (options) => {
        const untilReadable = () => primary.call('untilReadable')
        const store = openSqliteFrontEnd({ ...options, untilReadable })
        const registry = remoteRegistry(primary, store.registry)
        const audit = remoteAudit(primary)
        const keptAnswers = remoteKeptAnswers(primary)
        const keyUses = remoteKeyUses(primary)
        return { ...store, registry, keptAnswers, audit, keyUses, cluster }
      },
      ownsAll: false,
      nodeSetup: () => ({
        store: cluster,
        listenOn: null,
        addressOf: () => '',
        tls: null,
        shardsMax: 0,
      }),
    }
  }
}

/** A node like others, except that it owns no shard. Its folder keeps its identity. */
function onPostgres(config: Config, { number }: FrontEndStart): Role {
  const folder = join(config.dataDir, 'front-ends', String(number))
  return {
    openStore: (options) => openStore(config, { ...options, folder, ownsShards: false }),
    ownsAll: false,
    nodeSetup: ({ cluster }) => frontEndSetup(config.cluster!, cluster!),
  }
}

async function untilReady(isReady: () => boolean): Promise<void> {
  const deadline = performance.now() + readyMsMax
  while (!isReady()) {
    if (performance.now() > deadline) {
      throw new StoreUnavailable(`The front end was not ready within ${readyMsMax} ms.`)
    }
    await after(readyCheckMs)
  }
}
