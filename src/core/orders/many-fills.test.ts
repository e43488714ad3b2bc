// One order may match a great many, or pass over them: recording its events must take time in
// proportion, and its plan must not depend on the depth of the stack.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange } from '../../../test/support/core/exchange.ts'
import { priceOf, sharesOf } from '../../../test/support/core/steps.ts'
import { recordEvents } from '../events/events.ts'
import { changeSets } from '../markets/sets.ts'
import { place } from './place.ts'
import { preview } from './preview.ts'

/** How long it takes to record the events of one MARKET order that matches so many, in ms. */
function recordingTime(fills: number): number {
  const exchange = newExchange()
  const { core, marketSerial } = exchange
  const aim = { operator: exchange.operator('house'), marketSerial, transactionId: null }
  const order = { ...aim, outcomeSerial: exchange.outcomeSerial(0), expiresAt: null, options: 0 }
  for (let at = 0; at < fills; at += 1) {
    const one = { playerId: `p${at}`, shares: sharesOf(1) }
    changeSets(core, { ...aim, ...one, kind: 'MINT' })
    place(core, { ...order, ...one, side: 'SELL', type: 'LIMIT', price: priceOf(0.5) })
    core.endTurn()
  }
  const whole = { playerId: 'x', shares: sharesOf(fills), price: null } as const
  place(core, { ...order, ...whole, side: 'BUY', type: 'MARKET' })
  const start = performance.now()
  recordEvents(core)
  return performance.now() - start
}

/** Of three, as another process may have had the processor in one. */
const best = (job: () => number) => Math.min(job(), job(), job())

test('recording eight times the fills takes nowhere near 64 times as long', () => {
  recordingTime(1_000)
  const few = best(() => recordingTime(2_000))
  const many = best(() => recordingTime(16_000))
  assert.ok(many < 30 * few, `2,000 fills took ${few} ms, 16,000 took ${many} ms`)
})

test('a plan passes over any number of orders of a group that it would trigger', () => {
  const many = 20_000
  const exchange = newExchange({}, { playerOrdersMax: many })
  const { core, marketSerial } = exchange
  exchange.mint('ann', many + 1)
  const { group: orderGroupSerial } = exchange.createGroup('ann', 1)
  const aim = { operator: exchange.operator('house'), marketSerial, transactionId: null }
  const order = { ...aim, outcomeSerial: exchange.outcomeSerial(0), expiresAt: null, options: 0 }
  const quote = { ...order, playerId: 'ann', side: 'SELL', type: 'LIMIT' } as const
  place(core, { ...quote, shares: sharesOf(2), price: priceOf(0.5), orderGroupSerial })
  for (let at = 1; at < many; at += 1) {
    place(core, { ...quote, shares: sharesOf(1), price: priceOf(0.6), orderGroupSerial })
    core.endTurn()
  }
  const buy = { ...order, playerId: 'bob', side: 'BUY', type: 'MARKET', price: null } as const
  const found = preview(core, { ...buy, shares: sharesOf(many) })
  assert.deepEqual('fills' in found ? found.fills : found, [
    { price: priceOf(0.5), shares: sharesOf(2) },
  ])
})
