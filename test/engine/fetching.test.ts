// Commands that need something from the store while turns are in flight or fail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { CommitFailure, type Turn } from '../../src/store/store.ts'
import {
  answerOf,
  EngineFixture,
  firstOperatorId,
  type OpenMarket,
  withEngine,
} from './engine-fixture.ts'

/** From now on each commit waits until its function in `held` is called. */
function holdCommits(fixture: EngineFixture) {
  const held: (() => void)[] = []
  fixture.commitHook = async (turn, commit) => {
    await new Promise<void>((resolve) => held.push(resolve))
    await commit(turn)
  }
  const until = async (count: number) => {
    while (held.length < count) await setImmediate()
  }
  return { held, until }
}

test('a replay waits for turns that were in flight before it, not for later ones', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const first = answerOf(await fixture.place(market, { transactionId: 'bet-1' }))
    const { held, until } = holdCommits(fixture)
    const before = fixture.place(market)
    await until(1)
    const replayed = fixture.place(market, { transactionId: 'bet-1' })
    await setImmediate()
    const behind = fixture.place(market)
    await until(2)
    held[0]!()
    answerOf(await before)
    const again = answerOf(await replayed)
    assert.deepEqual([again.order.id, again.isReplay], [first.order.id, true])
    held[1]!()
    answerOf(await behind)
  }))

// With PostgreSQL the connection can break while the server still commits, so that a lookup reads
// the database before the commit is visible.
test('a transactionId is looked up again if its turn was found committed after the lookup', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const { shard } = fixture
    const lookup = slowOnce(fixture, 'byTransactionId')
    const lost = { turn: null as Turn | null, fail: () => {} }
    fixture.commitHook = (turn) => {
      fixture.commitHook = null
      lost.turn = turn
      const error = new CommitFailure('The connection is lost.', { outcome: 'unknown' })
      return new Promise((_, reject) => {
        lost.fail = () => reject(error)
      })
    }
    const first = fixture.place(market, { transactionId: 'bet-1' })
    while (lost.turn === null) await setImmediate()
    const claim = shard.claim.bind(shard)
    shard.claim = async () => {
      await lookup.done
      await shard.commit(lost.turn!)
      return claim()
    }
    const second = fixture.place(market, { transactionId: 'bet-1' })
    await setTimeout(10)
    lost.fail()
    const { order } = answerOf(await first)
    await setTimeout(50)
    lookup.answer()
    const again = answerOf(await second)
    assert.deepEqual([again.order.id, again.isReplay], [order.id, true])
    assert.equal([...fixture.engine.records().orders].length, 1)
  }))

test('a market fetched from the store before a rebuild is fetched again after it', async () => {
  const before = await EngineFixture.open()
  const old = await before.market()
  await settle(before, old)
  const fixture = await before.reopen()
  try {
    const other = await fixture.market()
    const read = slowOnce(fixture, 'marketRecord')
    const book = fixture.engine.submit('book', { ...bookOf(old), depth: 10 })
    await read.done
    fixture.commitHook = async () => {
      fixture.commitHook = null
      read.answer()
      await setImmediate()
      throw new CommitFailure('It was not stored.', { outcome: 'aborted' })
    }
    await assert.rejects(fixture.place(other))
    assert.deepEqual(answerOf(await book).bids, [])
  } finally {
    await fixture.close()
  }
})

function bookOf({ id, outcomes }: OpenMarket) {
  return { operatorId: firstOperatorId, marketSerial: id, outcomeSerial: outcomes[0]! }
}

async function settle(
  fixture: EngineFixture,
  { id: marketSerial, outcomes }: OpenMarket,
): Promise<void> {
  const command = { operatorId: firstOperatorId, marketSerial }
  answerOf(await fixture.engine.submit('manage', { ...command, action: 'close' }))
  const winner = { winningOutcomeSerial: outcomes[0]!, source: 'The press', notes: null }
  answerOf(await fixture.engine.submit('manage', { ...command, action: 'resolve', ...winner }))
  answerOf(await fixture.engine.submit('settle', command))
}

/** The next read of that kind returns only when `answer` is called. */
function slowOnce(fixture: EngineFixture, name: 'byTransactionId' | 'marketRecord') {
  type Reads = Record<typeof name, (...args: never[]) => Promise<unknown>>
  const reads = fixture.shard.reads as Reads
  const read = reads[name]
  const answered = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  reads[name] = async (...args) => {
    reads[name] = read
    const found = await read(...args)
    done.resolve()
    await answered.promise
    return found
  }
  return { done: done.promise, answer: answered.resolve }
}
