// What a store guarantees for turns: they are atomic, in order, and only of the shard's owner.

import assert from 'node:assert/strict'
import { serial } from '../support/core/steps.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import { owner, participant, plainMarket, rows, startMs } from './sample-rows.ts'
import { failureOf, type StoreTests } from './store-fixture.ts'

export const commitTests: StoreTests = {
  'a new store is empty and draws the key of its ids once': async (fixture) => {
    const { idKey } = fixture.shard
    assert.deepEqual(await fixture.shard.claim(), {
      epoch: fixture.epoch + 1,
      commandSequence: 0,
      lastSerial: 0,
      now: 0,
      batchId: '',
    })
    assert(idKey.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32))
    await fixture.reopen()
    assert.deepEqual(fixture.shard.idKey, idKey)
  },

  'the head is that of the last turn, also after a restart': async (fixture) => {
    await fixture.commit(...plainMarket)
    const turn = fixture.turn([rows.newOrder()], { to: 7, lastSerial: 99, now: startMs + 5 })
    await fixture.shard.commit({ ...turn, batchId: 'the-last' })
    await fixture.reopen()
    const { epoch, ...head } = await fixture.shard.claim()
    assert.deepEqual(head, {
      commandSequence: 7,
      lastSerial: 99,
      now: startMs + 5,
      batchId: 'the-last',
    })
    assert(epoch > turn.epoch)
  },

  'a previous owner of the shard cannot commit': async (fixture) => {
    await fixture.commit(...plainMarket)
    const late = fixture.turn([rows.newOrder()])
    await fixture.shard.claim()
    const failure = await failureOf(fixture.shard.commit(late))
    assert.equal(failure.outcome, 'aborted')
    assert.equal(failure.isFull, false)
    assert.equal(await fixture.shard.reads.order(owner, serial(10)), null)
  },

  'a turn that does not follow the last one is refused': async (fixture) => {
    await fixture.commit(...plainMarket)
    const gap = fixture.turn([rows.newOrder()], { from: 5 })
    assert.equal((await failureOf(fixture.shard.commit(gap))).outcome, 'aborted')
    await fixture.commit(rows.newOrder())
  },

  'turns that were sent after a failed turn fail too': async (fixture) => {
    await fixture.commit(...plainMarket)
    const { shard } = fixture
    const { reads } = shard
    const bad = fixture.turn([rows.newOrder()], { epoch: fixture.epoch - 1 })
    const next = fixture.turn([rows.newOrder({ serial: 11 })], { from: bad.to })
    // It begins at the same sequence as the failed turn: only the order of the calls differs.
    const same = fixture.turn([rows.newOrder({ serial: 12 })])
    const sent = [bad, next, same].map((turn) => failureOf(shard.commit(turn)))
    for (const failure of await Promise.all(sent)) assert.equal(failure.outcome, 'aborted')
    for (const order of [11, 12].map(serial)) assert.equal(await reads.order(owner, order), null)
    await fixture.commit(rows.newOrder({ serial: 13 }))
    assert.notEqual(await reads.order(owner, serial(13)), null)
  },

  'turns are stored in the order of the calls': async (fixture) => {
    await fixture.commit(...plainMarket)
    await fixture.commit(rows.newOrder())
    const turns = Array.from({ length: 20 }, (_, index) =>
      fixture.turn([rows.order({ filled: index, status: 1 })], { from: fixture.sequence + index }),
    )
    await Promise.all(turns.map((turn) => fixture.shard.commit(turn)))
    assert.equal((await fixture.shard.reads.order(owner, serial(10)))?.filled, 19)
  },

  'the rows of a failed turn can be committed again': async (fixture) => {
    await fixture.commit(...plainMarket)
    const turn = fixture.turn([rows.newOrder({ operatorNumber: participant, playerId: 'zoë' })])
    const late = { ...turn, epoch: turn.epoch - 1 }
    await failureOf(fixture.shard.commit(late))
    await fixture.shard.commit(turn)
    assert.equal((await fixture.shard.reads.order(participant, serial(10)))?.playerId, 'zoë')
  },

  'a turn may be large': async (fixture) => {
    await fixture.commit(...plainMarket)
    const body = 'x'.repeat(200_000)
    const orders = Array.from({ length: 2_000 }, (_, index) =>
      rows.newOrder({ serial: 100 + index }),
    )
    await fixture.commit(...orders, rows.eventRecord({ body }), rows.eventSequence())
    const events = await fixture.shard.reads.events({
      operatorNumber: owner,
      since: 0,
      types: null,
      marketSerial: null,
      limit: 10,
      notBefore: 0,
    })
    assert.equal(events.rows[0]?.body, body)
    assert.notEqual(await fixture.shard.reads.order(owner, serial(2_099)), null)
  },

  'the probe of a store with disk space succeeds': async (fixture) => {
    assert.equal(await fixture.shard.probe(), true)
  },

  'a closed store aborts turns': async (fixture) => {
    const turn = fixture.turn(plainMarket)
    const { store } = fixture
    await fixture.reopen()
    assert.equal((await failureOf(onlyShard(store).commit(turn))).outcome, 'aborted')
    await assert.rejects(onlyShard(store).reads.market(serial(1)), { name: 'StoreUnavailable' })
  },

  'closing waits for pending turns': async (fixture) => {
    const { store } = fixture
    const committed = onlyShard(store).commit(fixture.turn(plainMarket))
    const closed = store.close()
    await fixture.reopen()
    await closed
    await committed
    assert.notEqual(await fixture.shard.reads.market(serial(1)), null)
  },
}
