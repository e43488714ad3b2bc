// One round of an attack: a service, an attacker and a victim, each a process of its own. The
// victim measures alone, then beside the attack, against the same store.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Service } from '../../../support/process/outcry-process.ts'
import { openMarket } from '../../support/trading-fixture.ts'
import type { Attack } from './attack.ts'
import {
  type AttackerReport,
  type AttackJob,
  type AttackTally,
  type VictimReport,
  type VictimRequest,
  victimRequests,
} from './round-messages.ts'

/** Beside an attack, a p99 may be so many times that alone ... */
const slowdownMax = 5
/** ... or so long, where that is more. Reads and replays wait for what the attack has committed. */
const latencyMsMax: Readonly<Record<VictimRequest, number>> = { order: 100, read: 200, replay: 200 }
const warmUpMs = 500

export type RoundOptions = {
  readonly aloneMs: number
  readonly besideMs: number
  readonly orders: number
  /** null for SQLite. */
  readonly databaseUrl?: string | null
}

export type RoundReport = {
  readonly violations: readonly string[]
  readonly alone: VictimReport
  readonly beside: VictimReport
  readonly tally: AttackTally
}

export async function runRound(attack: Attack, options: RoundOptions): Promise<RoundReport> {
  const { aloneMs, besideMs, orders, databaseUrl = null } = options
  const database = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }
  const service = await Service.start({ env: { LOG_LEVEL: 'error', ...attack.env, ...database } })
  const children: ChildProcess[] = []
  try {
    const own = await service.newOperator('victim')
    const market = await openMarket(service, own)
    const other = await service.newOperator('attacker')
    const { url } = service
    const attacker = startAttacker({ attack: attack.name, url, key: other.key, orders, share: 1 })
    children.push(attacker)
    await next<AttackerReport>(attacker)
    const victim = start('victim-process.ts', { url, key: own.key, market })
    children.push(victim)
    const measure = (ms: number) => ask<VictimReport>(victim, { ms })
    await measure(warmUpMs)
    const alone = await measure(aloneMs)
    attacker.send({ op: 'start' })
    await delay(warmUpMs)
    const beside = await measure(besideMs)
    const stopped = await ask<AttackerReport>(attacker, { op: 'stop' })
    const tally = stopped.state === 'stopped' ? stopped.tally : {}
    const measured = { alone, beside, tally }
    return { ...measured, violations: violationsIn(attack, measured, service) }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await service.kill()
  }
}

export function startAttacker(job: AttackJob): ChildProcess {
  return start('attacker-process.ts', job)
}

/** Sends a message and returns the next one from the process. */
export function ask<Answer>(child: ChildProcess, message: object): Promise<Answer> {
  const answer = next<Answer>(child)
  child.send(message)
  return answer
}

/** The next message of the process; fails if it ends. */
export async function next<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`A process of the round ended with ${code ?? signal}.`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}

function start(file: string, job: object): ChildProcess {
  return fork(new URL(file, import.meta.url), [JSON.stringify(job)])
}

function violationsIn(
  { expected }: Attack,
  { alone, beside, tally }: Omit<RoundReport, 'violations'>,
  service: Service,
): string[] {
  const found: string[] = []
  if (service.hasEnded) found.push(`the service ended:\n${service.printed().slice(-2_000)}`)
  for (const kind of victimRequests) found.push(...slowdown(kind, alone, beside))
  for (const [what, count] of Object.entries(beside.refused)) {
    found.push(`beside the attack, ${count} requests failed: ${what}`)
  }
  if (tally[expected] === undefined) {
    found.push(`the attacker never got ${expected}: ${JSON.stringify(tally)}`)
  }
  return found
}

function slowdown(kind: VictimRequest, alone: VictimReport, beside: VictimReport): string[] {
  const max = Math.max(slowdownMax * alone.p99[kind], latencyMsMax[kind])
  if (beside.p99[kind] <= max) return []
  const [before, after, bound] = [alone.p99[kind], beside.p99[kind], max].map(Math.round)
  return [`the p99 of the victim's ${kind}s went from ${before} to ${after} ms, at most ${bound}`]
}
