// The assertion of the attack tests. A failed round is repeated once: a busy machine can make one
// round slow, an unfair service makes both slow.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { attackNamed } from '../attacks.ts'
import { type RoundReport, runRound } from './fair-round.ts'

/** Beside the attack there are 200 requests of each kind: the p99 is not the slowest one. */
const size = { aloneMs: 1_500, besideMs: 5_000, orders: 15_000 }

export async function assertFair(t: TestContext, name: string): Promise<void> {
  const attack = attackNamed(name)
  const first = await runRound(attack, size)
  t.diagnostic(textOf(first))
  if (first.violations.length === 0) return
  t.diagnostic(`repeated because: ${first.violations.join('; ')}`)
  const second = await runRound(attack, size)
  t.diagnostic(textOf(second))
  assert.deepEqual(second.violations, [])
}

/** The figures of a round in one line. */
export function textOf({ alone, beside, tally }: RoundReport): string {
  const p99 = ({ order, read, replay }: RoundReport['alone']['p99']) =>
    [order, read, replay].map((ms) => ms.toFixed(1)).join('/')
  const times = `${p99(alone.p99)} ms alone, ${p99(beside.p99)} ms beside`
  return `p99 of orders/reads/replays: ${times}; attacker: ${JSON.stringify(tally)}`
}
