// Services of the cluster bench: nodes on one PostgreSQL server, or single processes. Each has a
// temporary data folder.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../test/support/store/postgres.ts'
import { namedDatabase } from '../../test/support/store/postgres-databases.ts'
import { adminKey, ExchangeClient } from '../http/exchange-client.ts'
import { postgresSettings } from '../http/servers-under-test.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

type Env = Readonly<Record<string, string>>

/** Stops everything that was started, in the opposite order. */
export class Servers {
  readonly #undo: (() => Promise<void>)[] = []
  #postgres: PostgresServer | null = null
  #databases = 0

  /** Throws PostgresMissing. */
  async newDatabase(): Promise<string> {
    if (this.#postgres === null) {
      const settings = { ...postgresSettings, max_connections: '200' }
      const server = await startPostgres({ settings })
      this.#undo.push(() => server.stop())
      this.#postgres = server
    }
    this.#databases += 1
    return namedDatabase(this.#postgres.url, `bench-${this.#databases}`)
  }

  async start(env: Env): Promise<ServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-bench-'))
    this.#undo.push(async () => rmSync(folder, { recursive: true, force: true }))
    const all = { ...settings, DATABASE_URL: '', DATA_DIR: folder, ...env }
    const server = await startServer({ script: 'src/main.ts', env: all })
    this.#undo.push(() => server.stop())
    return server
  }

  /** An owner of the only shard, and a node without a shard. */
  async startPair(): Promise<{ readonly owner: ServerProcess; readonly front: ServerProcess }> {
    const node = { ...nodeSettings, DATABASE_URL: await this.newDatabase() }
    const owner = await this.start(node)
    const front = await this.start({ ...node, NODE_SHARDS_MAX: '0' })
    return { owner, front }
  }

  async stop(): Promise<void> {
    for (const step of this.#undo.splice(0).reverse()) await step()
  }
}

const settings = {
  PORT: '0',
  GRPC_PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'error',
  ADMIN_API_KEY: adminKey,
  DEMO_OPERATOR: 'false',
  RATE_LIMIT_ORDERS: '0',
  RATE_LIMIT_REQUESTS: '0',
  RATE_LIMIT_PUBLIC: '0',
}

const nodeSettings = {
  CLUSTER: 'true',
  CLUSTER_PORT: '0',
  SHARDS: '1',
  OUTCRY_SECRETS_KEY: '0123456789abcdef'.repeat(4),
}

/** A client with an operator of its own. */
export async function clientOf({ port }: ServerProcess, shard?: number): Promise<ExchangeClient> {
  const client = new ExchangeClient(port)
  await client.makeOperator(shard)
  return client
}
