// Commands that need something from the store, while turns are on their way there or fail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { CommitFailure, type Turn } from '../../src/store/store.ts'
import { accepted, House, house, type OpenMarket, withHouse } from './engine-fixture.ts'

/** Commits wait until they are let through, one by one. */
function holdCommits(open: House) {
  const held: (() => void)[] = []
  open.admission = async (turn, commit) => {
    await new Promise<void>((resolve) => held.push(resolve))
    await commit(turn)
  }
  const until = async (count: number) => {
    while (held.length < count) await setImmediate()
  }
  return { held, until }
}

test('a replay waits for the turns before it, not for those behind it', () =>
  withHouse(async (open) => {
    const market = await open.market()
    const first = accepted(await open.place(market, { transactionId: 'bet-1' }))
    const { held, until } = holdCommits(open)
    const before = open.place(market)
    await until(1)
    const replayed = open.place(market, { transactionId: 'bet-1' })
    await setImmediate()
    const behind = open.place(market)
    await until(2)
    held[0]!()
    accepted(await before)
    const again = accepted(await replayed)
    assert.deepEqual([again.order.id, again.isReplay], [first.order.id, true])
    held[1]!()
    accepted(await behind)
  }))

// As PostgreSQL may do it: the connection breaks while the server is still at the commit, and the
// retry has looked before the server was done.
test('a key that was looked for before its turn was found stored is looked for again', () =>
  withHouse(async (open) => {
    const market = await open.market()
    const { shard } = open.store
    const looked = slowOnce(open, 'byTransactionId')
    const lost = { turn: null as Turn | null, publish: () => {} }
    open.admission = (turn) => {
      open.admission = null
      lost.turn = turn
      const error = new CommitFailure('The connection is lost.', { outcome: 'unknown' })
      return new Promise((_, reject) => {
        lost.publish = () => reject(error)
      })
    }
    const first = open.place(market, { transactionId: 'bet-1' })
    while (lost.turn === null) await setImmediate()
    const take = shard.take.bind(shard)
    shard.take = async () => {
      await looked.done
      await shard.commit(lost.turn!)
      return take()
    }
    const second = open.place(market, { transactionId: 'bet-1' })
    await setTimeout(10)
    lost.publish()
    const { order } = accepted(await first)
    await setTimeout(50)
    looked.answer()
    const again = accepted(await second)
    assert.deepEqual([again.order.id, again.isReplay], [order.id, true])
    assert.equal([...open.engine.records().orders].length, 1)
  }))

test('a market that was brought back is brought back again after a rebuild', async () => {
  const before = await House.open()
  const old = await before.market()
  await settle(before, old)
  const open = await before.reopen()
  try {
    const other = await open.market()
    const looked = slowOnce(open, 'marketRecord')
    const book = open.engine.submit('book', { ...bookOf(old), depth: 10 })
    await looked.done
    open.admission = async () => {
      open.admission = null
      looked.answer()
      await setImmediate()
      throw new CommitFailure('It was not stored.', { outcome: 'aborted' })
    }
    await assert.rejects(open.place(other))
    assert.deepEqual(accepted(await book).bids, [])
  } finally {
    await open.close()
  }
})

function bookOf({ id, outcomes }: OpenMarket) {
  return { operatorId: house, marketSerial: id, outcomeSerial: outcomes[0]! }
}

async function settle(open: House, { id: marketSerial, outcomes }: OpenMarket): Promise<void> {
  const command = { operatorId: house, marketSerial }
  accepted(await open.engine.submit('manage', { ...command, action: 'close' }))
  const winner = { winningOutcomeSerial: outcomes[0]!, source: 'The press', notes: null }
  accepted(await open.engine.submit('manage', { ...command, action: 'resolve', ...winner }))
  accepted(await open.engine.submit('settle', command))
}

/** The next read of that kind is done, and answered only later. */
function slowOnce(open: House, name: 'byTransactionId' | 'marketRecord') {
  type Reads = Record<typeof name, (...asked: never[]) => Promise<unknown>>
  const reads = open.store.reads as Reads
  const read = reads[name]
  const answered = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  reads[name] = async (...asked) => {
    reads[name] = read
    const found = await read(...asked)
    done.resolve()
    await answered.promise
    return found
  }
  return { done: done.promise, answer: answered.resolve }
}
