// A turn counts queries towards its size: those that would make it too long wait for the next one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange } from '../../test/support/core/exchange.ts'
import { priceOf, sharesOf, usualRules } from '../../test/support/core/steps.ts'
import { queuedCommand } from './queue.ts'
import { Shard } from './shard.ts'
import { Turn } from './turn.ts'

const levels = 80

/** A shard with that many levels on offer, and the previews of an order that takes all of them. */
function previewsOf(count: number) {
  const before = newExchange()
  before.mint('seller', levels)
  for (let at = 0; at < levels; at += 1) before.sell('seller', 1, (10 + at) / 100)
  const shard = new Shard(usualRules, before.core.ids)
  shard.load({ records: before.save(), operatorNumbers: new Map(), keys: [] })
  const { exchange } = shard
  const [operator] = exchange.operators
  const market = exchange.market(before.marketSerial)!
  const preview = () =>
    queuedCommand(
      'preview',
      {
        operatorId: operator!.id,
        marketSerial: market.serial,
        outcomeSerial: market.books[0]!.serial,
        playerId: 'buyer',
        side: 'BUY',
        type: 'LIMIT',
        shares: sharesOf(levels),
        price: priceOf(0.99),
        expiresAt: null,
        options: 0,
      },
      0,
      { resolve: () => undefined, reject: () => undefined },
    )
  return { shard, previews: Array.from({ length: count }, preview) }
}

test('queries beyond the size of a turn are deferred, and each is charged for what it read', () => {
  const { shard, previews } = previewsOf(20)
  const charged: number[] = []
  const turn = new Turn({
    shard,
    now: shard.exchange.now,
    jobWaiters: new Map(),
    onRejected: () => undefined,
    charge: (_operatorId, cost) => charged.push(cost),
    hasListeners: false,
  })
  for (const preview of previews) turn.add(preview)
  assert.equal(turn.close(), null)
  const answered = Math.ceil(256 / levels)
  assert.equal(turn.executed.length, answered)
  assert.deepEqual(turn.deferred, previews.slice(answered))
  assert.deepEqual(
    charged,
    Array.from({ length: answered }, () => levels),
  )
})
