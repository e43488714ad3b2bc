// The servers under test, which all get the same orders: Outcry on either store, Outcry without its
// commit, one PostgreSQL transaction per order, and bare node:http. Each runs in a process of its
// own, with its files in a temporary folder that is deleted when the server stops.

import { type PostgresServer, startPostgres } from '../../test/support/store/postgres.ts'
import { type ServerProcess, type ServerStart, startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { adminKey, ExchangeClient } from './exchange-client.ts'
import type { LoadTarget } from './load-target.ts'

export type ServerUnderTest = {
  readonly pid: number
  /** Opens a new market for the orders of the next round. */
  prepare(): Promise<LoadTarget>
  /** Trades of the target's market; null if the server keeps none. */
  trades(target: LoadTarget): Promise<number | null>
  /** CPU time of the Node process, without that of a database; null if unknown. */
  cpuMs(): number | null
  stop(): Promise<void>
}

type ExchangeUnderTest = ServerUnderTest &
  Pick<ServerProcess, 'port' | 'grpcPort' | 'signal'> & { readonly client: ExchangeClient }

export type StartOptions = {
  readonly rounds: number
  readonly nodeOptions?: readonly string[]
  /** The files of another commit; see worktree.ts. */
  readonly root?: string
  /** An existing data folder, which is not deleted, with the API key of its operator. */
  readonly store?: { readonly folder: string; readonly apiKey: string }
}
export type ServerStarter = (options: StartOptions) => Promise<ServerUnderTest>

export const startOutcry: ServerStarter = (options) => startService('src/main.ts', options)

// Markets are opened before commits are left out, because a market that is not stored cannot be
// read.
export const startWithoutCommit: ServerStarter = async (options) => {
  const service = await startService('bench/peers/without-commit.ts', options)
  const targets: LoadTarget[] = []
  while (targets.length < options.rounds) targets.push(await service.prepare())
  service.signal('SIGUSR2')
  const prepare = async () => {
    const target = targets.pop()
    if (target === undefined)
      throw new Error(`The server was started for ${options.rounds} rounds only.`)
    return target
  }
  return { ...service, prepare, trades: async () => null }
}

export async function startService(
  script: string,
  { nodeOptions = [], root, store }: StartOptions,
  postgres: PostgresServer | null = null,
) {
  const temporary = store === undefined ? temporaryFolder() : null
  const env = {
    PORT: '0',
    GRPC_PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: store?.folder ?? temporary?.path ?? '',
    DATABASE_URL: postgres?.url ?? '',
    LOG_LEVEL: 'error',
    ADMIN_API_KEY: adminKey,
    DEMO_OPERATOR: 'false',
    RATE_LIMIT_ORDERS: '0',
    RATE_LIMIT_REQUESTS: '0',
    RATE_LIMIT_PUBLIC: '0',
  }
  const clean = async () => {
    await postgres?.stop()
    temporary?.remove()
  }
  const start = { script, env, nodeOptions, ...(root === undefined ? {} : { root }) }
  return startExchange(start, clean, store?.apiKey)
}

/** Commits wait for the disk, as by default; these settings only keep checkpoints rare. */
export const postgresSettings = {
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  jit: 'off',
}

export const startOutcryOnPostgres: ServerStarter = async (options) => {
  const postgres = await startPostgres({ settings: postgresSettings })
  return startService('src/main.ts', options, postgres)
}

export const startOrderPerTransaction: ServerStarter = async ({ nodeOptions = [] }) => {
  // The best plan of each statement never changes, so it need not be planned again.
  const settings = { ...postgresSettings, plan_cache_mode: 'force_generic_plan' }
  const postgres = await startPostgres({ settings })
  const script = 'bench/peers/order-per-transaction.ts'
  const start = { script, env: { DATABASE_URL: postgres.url }, nodeOptions }
  return startExchange(start, () => postgres.stop())
}

/** Answers every request with a body of the given size; the load sends the orders of `target`. */
export function bareHttp(answerBytes: number, target: LoadTarget): ServerStarter {
  return async ({ nodeOptions = [] }) => {
    const env = { ANSWER_BYTES: `${Math.round(answerBytes)}` }
    const server = await startServer({ script: 'bench/peers/bare-http.ts', env, nodeOptions })
    return {
      prepare: async () => ({ ...target, port: server.port }),
      trades: async () => null,
      pid: server.pid,
      cpuMs: () => server.cpuMs(),
      stop: () => server.stop(),
    }
  }
}

async function startExchange(
  start: ServerStart,
  afterwards: () => Promise<void>,
  apiKey?: string,
): Promise<ExchangeUnderTest> {
  const undo = [afterwards]
  const stop = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    const server = await startServer(start)
    undo.push(() => server.stop())
    const client = new ExchangeClient(server.port, apiKey)
    if (apiKey === undefined) await client.makeOperator()
    return {
      client,
      port: server.port,
      grpcPort: () => server.grpcPort(),
      prepare: () => client.openMarket(),
      trades: (target: LoadTarget) => client.tradesOf(target.marketId),
      pid: server.pid,
      cpuMs: () => server.cpuMs(),
      signal: (name) => server.signal(name),
      stop,
    }
  } catch (fault) {
    await stop()
    throw fault
  }
}
