// A turn counts everything that it does towards its size and charges it to its operator; queries
// that would make it too long wait for the next one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { house, newExchange } from '../../test/support/core/exchange.ts'
import { priceOf, serial, sharesOf, usualRules } from '../../test/support/core/steps.ts'
import { type EventForm, presentForm } from '../core/events/events.ts'
import type { CommandKind, Commands } from './commands.ts'
import { JobWaiters } from './job-waiters.ts'
import { type QueuedCommand, queuedCommand } from './queue.ts'
import { Shard } from './shard.ts'
import { Turn } from './turn.ts'

const levels = 80

/** A shard with that many levels on offer, and the previews of an order that takes all of them. */
function previewsOf(count: number, reject: (error: Error) => void = () => undefined) {
  const before = newExchange()
  before.mint('seller', levels)
  for (let at = 0; at < levels; at += 1) before.sell('seller', 1, (10 + at) / 100)
  const shard = new Shard(usualRules, before.core.ids)
  shard.load({
    records: before.save(),
    operatorNumbers: new Map([[house, 1]]),
    keys: [],
    laterKeys: null,
  })
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
      { resolve: () => undefined, reject },
    )
  return { shard, previews: Array.from({ length: count }, preview) }
}

type TurnOptions = { readonly now?: number; readonly eventForm?: EventForm }

function turnOf(
  shard: Shard,
  charged: number[] = [],
  { now = shard.exchange.now, eventForm = presentForm }: TurnOptions = {},
): Turn {
  return new Turn({
    shard,
    now,
    jobWaiters: new JobWaiters(),
    onRejected: () => undefined,
    charge: (_operatorId, cost) => charged.push(cost),
    hasListeners: false,
    eventForm,
  })
}

test('queries beyond the size of a turn are deferred, and each is charged for what it read', () => {
  const { shard, previews } = previewsOf(20)
  const charged: number[] = []
  const turn = turnOf(shard, charged)
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

test('a turn that is discarded fails its deferred queries, too', () => {
  let failed = 0
  const { shard, previews } = previewsOf(20, () => {
    failed += 1
  })
  const turn = turnOf(shard)
  for (const preview of previews) turn.add(preview)
  turn.close()
  turn.discard(new Error('planted'))
  assert.equal(failed, previews.length)
})

/** A shard with one OPEN market, and with that many resting orders that expire after a second. */
function shardWithOrders(count: number) {
  const before = newExchange()
  const expiresAt = before.core.now + 1_000
  for (let at = 0; at < count; at += 1) before.buy('ann', 1, 0.4, { expiresAt })
  const shard = new Shard(usualRules, before.core.ids)
  shard.load({
    records: before.save(),
    operatorNumbers: new Map([[house, 1]]),
    keys: [],
    laterKeys: null,
  })
  return { shard, expiresAt, about: { operatorId: house, marketSerial: before.marketSerial } }
}

function queuedIn<Kind extends CommandKind>(
  kind: Kind,
  command: Commands[Kind]['command'],
): QueuedCommand {
  return queuedCommand(kind, command, 0, { resolve: () => undefined, reject: () => undefined })
}

test('a turn that commands have filled still answers queries', () => {
  const { shard, about } = shardWithOrders(0)
  const turn = turnOf(shard)
  const mint = { ...about, kind: 'MINT', playerId: 'ann', shares: sharesOf(1) } as const
  for (let at = 0; at < 256 / 2; at += 1) {
    turn.add(queuedIn('changeSets', { ...mint, transactionId: null }))
  }
  assert.ok(turn.isFull)
  const { marketSerial } = about
  const query = () => queuedIn('prices', { marketSerial, outcomeSerial: null })
  const queries = Array.from({ length: 100 }, query)
  for (const each of queries) turn.add(each)
  turn.close()
  assert.deepEqual(turn.deferred, queries.slice(64))
})

test('a command that needs the store costs 1 in the turn that finds this out', () => {
  const { shard } = shardWithOrders(0)
  const charged: number[] = []
  const turn = turnOf(shard, charged)
  const paid = { transactionId: 'paid', status: 'COMPLETED', errorMessage: null } as const
  turn.add(queuedIn('acknowledge', { operatorId: house, settlementSerial: serial(99), ...paid }))
  assert.deepEqual([turn.fetches.length, charged, turn.cost], [1, [1], 1])
})

test('orders that expire count towards the size of the turn', () => {
  const { shard, expiresAt } = shardWithOrders(10)
  const turn = turnOf(shard, [], { now: expiresAt })
  turn.advance()
  assert.equal(turn.cost, 10)
})

test('events are recorded in the form that every service can read', () => {
  for (const [eventForm, code] of [
    [0, 7],
    [1, 39],
    [2, 39],
  ] as const) {
    const { shard, expiresAt } = shardWithOrders(1)
    const turn = turnOf(shard, [], { now: expiresAt, eventForm })
    turn.advance()
    turn.close()
    assert.equal(turn.eventRecords[0]!.body[0], code)
  }
})

test('what a job does is charged to the owner of its market', () => {
  const { shard, about } = shardWithOrders(10)
  const charged: number[] = []
  const turn = turnOf(shard, charged)
  turn.add(queuedIn('manage', { ...about, action: 'cancel', reason: 'Void' }))
  turn.continueJob()
  assert.deepEqual(charged, [1, 10])
  assert.equal(turn.cost, 11)
})

test('a job gets one slice in a full turn, so that it ends and the turn stays short', () => {
  const { shard, about } = shardWithOrders(250)
  const charged: number[] = []
  const turn = turnOf(shard, charged)
  const mint = { ...about, kind: 'MINT', playerId: 'ann', shares: sharesOf(1) } as const
  for (let at = 0; at < 256 / 2; at += 1) {
    turn.add(queuedIn('changeSets', { ...mint, transactionId: null }))
  }
  turn.add(queuedIn('manage', { ...about, action: 'cancel', reason: 'Void' }))
  turn.continueJob()
  assert.equal(charged.at(-1), 100)
})
