// Loses the PostgreSQL primary under load and promotes its standby. With a synchronous standby
// nothing that was answered may be missing; one that is behind must show that it is.

import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../support/process/random.ts'
import { type PostgresServer, startPostgres } from '../../support/store/postgres.ts'
import { type DatabaseServer, query } from '../../support/store/postgres-databases.ts'
import { CutProxy } from '../support/cut-proxy.ts'
import type { FaultRun } from './fault-run.ts'

const standbyName = 'standby'
const answersMax = 100
const answersWaitMs = 30_000
/** So much is answered while an asynchronous standby gets nothing. */
const answersBehind = 50
const streamsWithinMs = 20_000
const checkEveryMs = 50

export type Standby = {
  readonly server: PostgresServer
  /** What it receives from the primary. */
  readonly replication: CutProxy
  readonly isSynchronous: boolean
  stop(): Promise<void>
}

/** Resolves when the standby receives what the primary writes. */
export async function startStandby(
  primary: DatabaseServer,
  { isSynchronous }: { readonly isSynchronous: boolean },
): Promise<Standby> {
  const replication = await CutProxy.open(Number(new URL(primary.url).port))
  const settings = { cluster_name: standbyName, fsync: 'off', full_page_writes: 'off' }
  const server = await startPostgres({ settings, standbyOf: replication.port })
  const stop = async () => {
    replication.close()
    await server.stop()
  }
  try {
    const names = isSynchronous ? standbyName : ''
    await query(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
    await query(primary.url, 'SELECT pg_reload_conf()')
    await untilStreaming(primary, isSynchronous ? 'sync' : 'async')
    return { server, replication, isSynchronous, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** DATABASE_URL with both servers. */
export function bothServers(url: string, { server }: Standby): string {
  const other = new URL(url)
  other.port = new URL(server.url).port
  return `${url},${other.href}`
}

export type Failover = {
  /** From the promotion until every node accepted an order of every shard, in ms. */
  readonly backMs: number
  readonly violations: readonly string[]
}

type FailoverOptions = {
  readonly primary: DatabaseServer
  readonly standby: Standby
  readonly random: Random
}

export async function losePrimary(run: FaultRun, options: FailoverOptions): Promise<Failover> {
  const { cluster, loads } = run
  const { primary, standby, random } = options
  const load = random.pick(loads)
  await load.clients.answers(random.between(1, answersMax), answersWaitMs)
  if (!standby.isSynchronous) {
    standby.replication.cut('silent')
    await load.clients.answers(answersBehind, answersWaitMs)
  }
  const before = await epochsOf(run)
  await primary.kill()
  await standby.server.promote()
  const startedAt = performance.now()
  await Promise.all(cluster.live.all.flatMap((node) => loads.map((each) => each.probe(node))))
  const backMs = performance.now() - startedAt
  const after = await epochsOf(run)
  const violations = after.flatMap((epoch, shard) =>
    epoch < before[shard]! ? [`shard ${shard}: epoch ${epoch} after ${before[shard]}`] : [],
  )
  return { backMs, violations }
}

async function epochsOf({ cluster }: FaultRun): Promise<number[]> {
  const epochs: number[] = []
  for (let shard = 0; shard < cluster.shards; shard += 1) {
    const text = `SELECT epoch::int AS epoch FROM outcry_shard_${shard}.head`
    const [row] = await query<{ epoch: number }>(cluster.url, text)
    epochs.push(row!.epoch)
  }
  return epochs
}

async function untilStreaming({ url }: DatabaseServer, state: 'sync' | 'async'): Promise<void> {
  const deadline = performance.now() + streamsWithinMs
  for (;;) {
    const rows = await query<{ state: string; sync_state: string }>(
      url,
      'SELECT state, sync_state FROM pg_stat_replication',
    )
    if (rows.some((row) => row.state === 'streaming' && row.sync_state === state)) return
    if (performance.now() > deadline) {
      throw new Error(`The standby does not stream: ${JSON.stringify(rows)}`)
    }
    await delay(checkEveryMs)
  }
}
