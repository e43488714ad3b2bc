// The assertion of the attack tests. A failed round is repeated: a busy machine can make some slow,
// an unfair service makes all of them slow.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { untilHostIsQuiet } from '../../support/stolen-time.ts'
import { attackNamed } from '../attacks.ts'
import { type RoundReport, runRound } from './fair-round.ts'

/** Beside the attack there are 200 requests of each kind: the p99 is not the slowest one. */
const size = { aloneMs: 1_500, besideMs: 5_000, orders: 15_000 }
const roundsMax = 3

export async function assertFair(t: TestContext, name: string): Promise<void> {
  const attack = attackNamed(name)
  for (let round = 1; ; round += 1) {
    const waitedMs = await untilHostIsQuiet()
    if (waitedMs > 0) t.diagnostic(`waited ${waitedMs} ms for the host to be quiet`)
    const report = await runRound(attack, size)
    t.diagnostic(textOf(report))
    const { violations } = report
    if (violations.length === 0) return
    if (round === roundsMax) assert.deepEqual(violations, [])
    t.diagnostic(`repeated because: ${violations.join('; ')}`)
  }
}

/** The figures of a round in one line. */
export function textOf({ alone, beside, tally }: RoundReport): string {
  const p99 = ({ order, read, replay }: RoundReport['alone']['p99']) =>
    [order, read, replay].map((ms) => ms.toFixed(1)).join('/')
  const times = `${p99(alone.p99)} ms alone, ${p99(beside.p99)} ms beside`
  return `p99 of orders/reads/replays: ${times}; attacker: ${JSON.stringify(tally)}`
}
