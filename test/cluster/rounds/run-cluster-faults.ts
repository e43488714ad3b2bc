// Command line: faults of a cluster under load, many times.

import { percentile } from '../../../bench/support/percentiles.ts'
import {
  exitWithUsageError,
  positiveNumber,
  readOptions,
  wholeNumber,
} from '../../support/process/options.ts'
import { Random } from '../../support/process/random.ts'
import {
  type DatabaseServer,
  postgresOrNot,
  startDatabases,
} from '../../support/store/postgres-databases.ts'
import { Cluster, untilReady } from '../support/cluster.ts'
import { cutNetwork, cuts } from './cut-network.ts'
import { type FaultRun, runFaults } from './fault-run.ts'
import { freezeOwner } from './freeze-owner.ts'
import { killOwner } from './kill-owner.ts'
import { bothServers, losePrimary, startStandby } from './lose-primary.ts'
import { restartDatabase } from './restart-database.ts'
import { revokeKey } from './revoke-key.ts'
import { restartNode } from './rolling-restart.ts'

const kinds = ['kill', 'freeze', 'stop', 'database', 'failover', 'cut', 'revoke'] as const
type Kind = (typeof kinds)[number]

const usage = `
Usage: npm run cluster-faults [-- --rounds 20 --only kill,freeze --clients 64 --seed N]
Starts a cluster of three nodes and disturbs it under load, --rounds times for each kind of fault:
  kill      kills the owner of a shard
  freeze    freezes the owner for twice its lease, and wakes it
  stop      stops a node with SIGTERM, and starts it again
  database  restarts or crashes PostgreSQL
  failover  kills the PostgreSQL primary and promotes its synchronous standby
  cut       cuts an owner from PostgreSQL, or another node from it, for good or again and again
  revoke    revokes a key, with a frozen node in every second round
Prints a line for each round with its time: until every shard accepts orders again, or until the
revocation was answered. Checks that nothing is lost, done twice or shown too late. Needs
PostgreSQL. --seed repeats the choices of a run. Exits with 1 if a violation was found.
`
const { values } = readOptions({
  usage,
  options: {
    rounds: { type: 'string', default: '20' },
    only: { type: 'string', default: kinds.join() },
    clients: { type: 'string', default: '64' },
    seed: { type: 'string' },
  },
})
const rounds = positiveNumber('--rounds', values.rounds)
const clients = positiveNumber('--clients', values.clients)
const seed = wholeNumber('--seed', values.seed ?? `${Date.now() % 1_000_000}`)
const chosen = values.only.split(',').map((name) => {
  return kinds.find((kind) => kind === name) ?? exitWithUsageError(`Unknown fault '${name}'`)
})

type Round = { readonly tookMs: number; readonly violations: readonly string[] }

async function roundOf(run: FaultRun, kind: Kind, round: number): Promise<Round> {
  const random = new Random(seed * 1_000 + round)
  switch (kind) {
    case 'kill':
      return { tookMs: await killOwner(run, random), violations: [] }
    case 'freeze':
      return freezeOwner(run, { random, isAskedForBooks: round % 2 === 0 })
    case 'stop': {
      const node = run.cluster.nodes[0]!
      const { gapMs, violations } = await restartNode(run, node)
      return { tookMs: gapMs, violations }
    }
    case 'cut': {
      const name = cuts[round % cuts.length]!
      const how = random.pick(['silent', 'one way', 'closed'] as const)
      const { tookMs, backMs } = await cutNetwork(run, { random, name, how })
      return { tookMs: Math.max(tookMs, backMs), violations: [] }
    }
    default: {
      const how = round % 2 === 0 ? 'fast' : 'immediate'
      return {
        tookMs: await restartDatabase(run, { server: server!, how, random }),
        violations: [],
      }
    }
  }
}

function report(kind: Kind, round: number, { tookMs, violations }: Round): void {
  const result = violations.length === 0 ? 'ok' : violations.join('; ')
  console.log(`${kind} ${round} of ${rounds}: ${Math.round(tookMs)} ms, ${result}`)
}

async function revocations(databases: DatabaseServer): Promise<Round[]> {
  const { url } = await databases.newDatabase()
  const cluster = await Cluster.start({ url, shards: 1 })
  const done: Round[] = []
  try {
    const { id } = await cluster.nodes[0]!.newOperator()
    for (let round = 1; round <= rounds; round += 1) {
      const frozen = round % 2 === 0 ? null : cluster.nodes[round % cluster.nodes.length]!
      done.push(await revokeKey(cluster, { id, frozen }))
      report('revoke', round, done.at(-1)!)
      for (const node of cluster.nodes) await untilReady(node)
    }
    return done
  } finally {
    await cluster.stop()
  }
}

async function faults(databases: DatabaseServer, kind: Kind): Promise<Round[]> {
  const { url } = await databases.newDatabase()
  const done: Round[] = []
  const options = { url, seed, clients, hasNetworks: kind === 'cut' }
  const { figures, violations } = await runFaults(options, async (run) => {
    for (let round = 1; round <= rounds; round += 1) {
      done.push(await roundOf(run, kind, round))
      report(kind, round, done.at(-1)!)
    }
    return []
  })
  for (const violation of violations) console.log(violation)
  console.log(`${kind}: ${JSON.stringify(figures)}`)
  return [...done, ...violations.map((violation) => ({ tookMs: 0, violations: [violation] }))]
}

/** Each with servers of its own: a primary is lost once. */
async function failovers(): Promise<Round[]> {
  const done: Round[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const primary = await startDatabases({})
    const standby = await startStandby(primary, { isSynchronous: true })
    try {
      const random = new Random(seed * 1_000 + round)
      const { url } = await primary.newDatabase()
      let tookMs = 0
      const options = { url: bothServers(url, standby), seed: seed + round, clients }
      const { violations } = await runFaults(options, async (run) => {
        const failover = await losePrimary(run, { primary, standby, random })
        tookMs = failover.backMs
        return failover.violations
      })
      done.push({ tookMs, violations })
      report('failover', round, done.at(-1)!)
    } finally {
      await standby.stop()
      await primary.stop()
    }
  }
  return done
}

function roundsOf(databases: DatabaseServer, kind: Kind): Promise<Round[]> {
  if (kind === 'revoke') return revocations(databases)
  return kind === 'failover' ? failovers() : faults(databases, kind)
}

// A crash of a server that does not wait for its disk may lose turns.
const server = await postgresOrNot('faults of a cluster')
if (server !== null) {
  console.log(`${rounds} rounds of ${chosen.join(', ')} with seed ${seed}`)
  try {
    const summary: string[] = []
    for (const kind of chosen) {
      const done = await roundsOf(server, kind)
      const times = done
        .slice(0, rounds)
        .map(({ tookMs }) => tookMs)
        .sort((one, other) => one - other)
      const count = done.reduce((sum, { violations }) => sum + violations.length, 0)
      if (count > 0) process.exitCode = 1
      const [p50, max] = [percentile(times, 0.5), times.at(-1)!].map(Math.round)
      summary.push(`${kind}: p50 ${p50} ms, max ${max} ms, ${count} violations`)
    }
    for (const line of summary) console.log(line)
  } finally {
    await server.stop()
  }
}
