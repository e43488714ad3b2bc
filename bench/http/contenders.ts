// The servers that take the same orders: Outcry on either store, Outcry without its commit, one
// PostgreSQL transaction an order, and bare node:http. Each runs in a process of its own, with its
// files in a temporary folder that is deleted with it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../test/support/store/postgres.ts'
import { type ServerProcess, type ServerStart, startServer } from '../support/server-process.ts'
import { adminKey, ExchangeClient } from './exchange-client.ts'
import type { LoadTarget } from './load-target.ts'

export type Contender = {
  /** Where the orders of the next round go. */
  prepare(): Promise<LoadTarget>
  /** How often orders met since then; null where nothing is kept. */
  trades(target: LoadTarget): Promise<number | null>
  /** Of its Node process; a database beside it is not counted. */
  cpuMs(): number | null
  stop(): Promise<void>
}

export type StartOptions = {
  readonly rounds: number
  /** For the Node that runs it. */
  readonly nodeOptions?: readonly string[]
  /** A data folder that is there already, and stays, with the key of its operator. */
  readonly store?: { readonly folder: string; readonly apiKey: string }
}
export type Start = (options: StartOptions) => Promise<Contender>

export const startOutcry: Start = (options) => startService('src/main.ts', options)

// What is not stored cannot be read, so its markets are opened before commits are left out.
export const startWithoutCommit: Start = async (options) => {
  const service = await startService('bench/peers/without-commit.ts', options)
  const targets: LoadTarget[] = []
  while (targets.length < options.rounds) targets.push(await service.prepare())
  service.signal('SIGUSR2')
  const prepare = async () => {
    const target = targets.pop()
    if (target === undefined) throw new Error('It was started for fewer rounds.')
    return target
  }
  return { ...service, prepare, trades: async () => null }
}

export async function startService(
  script: string,
  { nodeOptions = [], store }: StartOptions,
  postgres: PostgresServer | null = null,
) {
  const folder = store?.folder ?? mkdtempSync(join(tmpdir(), 'outcry-bench-'))
  const env = {
    ...{ PORT: '0', GRPC_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder },
    DATABASE_URL: postgres?.url ?? '',
    ...{ LOG_LEVEL: 'error', ADMIN_API_KEY: adminKey, DEMO_OPERATOR: 'false' },
    ...{ RATE_LIMIT_ORDERS: '0', RATE_LIMIT_REQUESTS: '0', RATE_LIMIT_PUBLIC: '0' },
  }
  const clean = async () => {
    await postgres?.stop()
    if (store === undefined) rmSync(folder, { recursive: true, force: true })
  }
  return startExchange({ script, env, nodeOptions }, clean, store?.apiKey)
}

/** A commit waits for the disk, which is the default; the rest gives it room. */
const postgresSettings = {
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  jit: 'off',
}

export const startOutcryOnPostgres: Start = async (options) => {
  const postgres = await startPostgres({ settings: postgresSettings })
  return startService('src/main.ts', options, postgres)
}

export const startOrderPerTransaction: Start = async ({ nodeOptions = [] }) => {
  // Its statements are always asked for the same plan, so they need not be planned again.
  const settings = { ...postgresSettings, plan_cache_mode: 'force_generic_plan' }
  const postgres = await startPostgres({ settings })
  const script = 'bench/peers/order-per-transaction.ts'
  const start = { script, env: { DATABASE_URL: postgres.url }, nodeOptions }
  return startExchange(start, () => postgres.stop())
}

/** Answers bodies of that size to the requests that another server would get. */
export function bareHttp(answerBytes: number, like: LoadTarget): Start {
  return async ({ nodeOptions = [] }) => {
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
  afterwards: () => Promise<void>,
  apiKey?: string,
): Promise<Contender & Pick<ServerProcess, 'port' | 'grpcPort' | 'signal'>> {
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
      port: server.port,
      grpcPort: () => server.grpcPort(),
      prepare: () => client.openMarket(),
      trades: (target: LoadTarget) => client.tradesOf(target.marketId),
      cpuMs: () => server.cpuMs(),
      signal: (name) => server.signal(name),
      stop,
    }
  } catch (fault) {
    await stop()
    throw fault
  }
}
