// The servers that take the same orders: Outcry, Outcry without its commit, one PostgreSQL
// transaction an order, and bare node:http. Each runs in a process of its own, with its files in a
// temporary folder that is deleted with it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/postgres.ts'
import { adminKey, ExchangeClient } from './exchange-client.ts'
import type { LoadTarget } from './order-requests.ts'
import { type ServerStart, startServer } from './server-process.ts'

export type Contender = {
  /** Where the orders of the next round go. */
  prepare(): Promise<LoadTarget>
  /** How often orders met since then; null where nothing is kept. */
  trades(target: LoadTarget): Promise<number | null>
  /** Of its Node process; a database beside it is not counted. */
  cpuMs(): number | null
  stop(): Promise<void>
}

/** Makes one, with options for the Node that runs it. */
export type Start = (nodeOptions?: readonly string[]) => Promise<Contender>

export const startOutcry: Start = (nodeOptions = []) =>
  startService('src/main.ts', nodeOptions, (client, target) => client.tradesOf(target.marketId))

// Its market is not stored, so nothing can be read of it.
export const startWithoutCommit: Start = (nodeOptions = []) =>
  startService('bench/peers/without-commit.ts', nodeOptions, async () => null)

type CountTrades = (client: ExchangeClient, target: LoadTarget) => Promise<number | null>

async function startService(
  script: string,
  nodeOptions: readonly string[],
  count: CountTrades,
): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-bench-'))
  const env = {
    ...{ PORT: '0', GRPC_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, DATABASE_URL: '' },
    ...{ LOG_LEVEL: 'error', ADMIN_API_KEY: adminKey, DEMO_OPERATOR: 'false' },
    ...{ RATE_LIMIT_ORDERS: '0', RATE_LIMIT_REQUESTS: '0', RATE_LIMIT_PUBLIC: '0' },
  }
  const removeFolder = async () => rmSync(folder, { recursive: true, force: true })
  return startExchange({ script, env, nodeOptions }, count, removeFolder)
}

/** A commit waits for the disk, which is the default; the rest gives it room. */
const postgresSettings = {
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  jit: 'off',
  // Its statements are always asked for the same plan, so they need not be planned again.
  plan_cache_mode: 'force_generic_plan',
}

export const startOrderPerTransaction: Start = async (nodeOptions = []) => {
  const postgres = await startPostgres({ settings: postgresSettings })
  const script = 'bench/peers/order-per-transaction.ts'
  const start = { script, env: { DATABASE_URL: postgres.url }, nodeOptions }
  const count: CountTrades = (client, target) => client.tradesOf(target.marketId)
  return startExchange(start, count, () => postgres.stop())
}

/** Answers bodies of that size to the requests that another server would get. */
export function bareHttp(answerBytes: number, like: LoadTarget): Start {
  return async (nodeOptions = []) => {
    const env = { ANSWER_BYTES: `${Math.round(answerBytes)}` }
    const server = await startServer({ script: 'bench/peers/bare-http.ts', env, nodeOptions })
    return {
      prepare: async () => ({ ...like, port: server.port }),
      trades: async () => null,
      cpuMs: () => server.cpuMs(),
      stop: () => server.stop(),
    }
  }
}

async function startExchange(
  start: ServerStart,
  count: CountTrades,
  afterwards: () => Promise<void>,
): Promise<Contender> {
  const undo = [afterwards]
  const stop = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    const server = await startServer(start)
    undo.push(() => server.stop())
    const client = new ExchangeClient(server.port)
    await client.makeOperator()
    return {
      prepare: () => client.openMarket(),
      trades: (target) => count(client, target),
      cpuMs: () => server.cpuMs(),
      stop,
    }
  } catch (fault) {
    await stop()
    throw fault
  }
}
