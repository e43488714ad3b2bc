// What a store promises of turns: whole or not at all, in order, by the holder of the shard only.

import assert from 'node:assert/strict'
import { house, participant, plainMarket, rows, startMs } from './sample-rows.ts'
import { failureOf, type StoreTests } from './store-scene.ts'

export const commitTests: StoreTests = {
  'a new store begins at nothing and draws the key of its ids once': async (scene) => {
    const { idKey, ...head } = await scene.store.shard.take()
    assert.deepEqual(head, {
      epoch: scene.epoch + 1,
      commandSequence: 0,
      lastSerial: 0,
      now: 0,
      batchId: '',
      shard: 0,
    })
    assert(idKey.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32))
    await scene.reopen()
    assert.deepEqual((await scene.store.shard.take()).idKey, idKey)
  },

  'the head is that of the last turn, also after a restart': async (scene) => {
    await scene.commit(...plainMarket)
    const turn = scene.turn([rows.newOrder()], { to: 7, lastSerial: 99, now: startMs + 5 })
    await scene.store.shard.commit({ ...turn, batchId: 'the-last' })
    await scene.reopen()
    const { idKey: _, epoch, ...head } = await scene.store.shard.take()
    assert.deepEqual(head, {
      commandSequence: 7,
      lastSerial: 99,
      now: startMs + 5,
      batchId: 'the-last',
      shard: 0,
    })
    assert(epoch > turn.epoch)
  },

  'who lost the shard cannot commit': async (scene) => {
    await scene.commit(...plainMarket)
    const late = scene.turn([rows.newOrder()])
    await scene.store.shard.take()
    const failure = await failureOf(scene.store.shard.commit(late))
    assert.equal(failure.outcome, 'aborted')
    assert.equal(failure.isFull, false)
    assert.equal(await scene.store.reads.order(house, 10), null)
  },

  'a turn that does not follow the last one is refused': async (scene) => {
    await scene.commit(...plainMarket)
    const gap = scene.turn([rows.newOrder()], { from: 5 })
    assert.equal((await failureOf(scene.store.shard.commit(gap))).outcome, 'aborted')
    await scene.commit(rows.newOrder())
  },

  'a turn with a bad row in its middle leaves nothing behind': async (scene) => {
    await scene.commit(...plainMarket)
    const bad = scene.turn([
      rows.newOrder({ serial: 10 }),
      rows.newOrder({ serial: 11, shares: Number.NaN }),
      rows.newOrder({ serial: 12 }),
    ])
    assert.equal((await failureOf(scene.store.shard.commit(bad))).outcome, 'aborted')
    for (const serial of [10, 11, 12]) {
      assert.equal(await scene.store.reads.order(house, serial), null)
    }
    assert.equal((await scene.store.shard.take()).commandSequence, 1)
  },

  'a change of an order that is not there is refused': async (scene) => {
    await scene.commit(...plainMarket)
    const turn = scene.turn([rows.order({ serial: 77 })])
    assert.equal((await failureOf(scene.store.shard.commit(turn))).outcome, 'aborted')
  },

  'after a turn that failed, those that were sent behind it fail too': async (scene) => {
    await scene.commit(...plainMarket)
    const { shard, reads } = scene.store
    const bad = scene.turn([rows.newOrder({ shares: Number.NaN })])
    const next = scene.turn([rows.newOrder({ serial: 11 })], { from: bad.to })
    // It begins where the failed one began, so only the order of the calls tells them apart.
    const same = scene.turn([rows.newOrder({ serial: 12 })])
    const sent = [bad, next, same].map((turn) => failureOf(shard.commit(turn)))
    for (const failure of await Promise.all(sent)) assert.equal(failure.outcome, 'aborted')
    for (const serial of [11, 12]) assert.equal(await reads.order(house, serial), null)
    await scene.commit(rows.newOrder({ serial: 13 }))
    assert.notEqual(await reads.order(house, 13), null)
  },

  'turns are stored in the order of the calls': async (scene) => {
    await scene.commit(...plainMarket)
    await scene.commit(rows.newOrder())
    const turns = Array.from({ length: 20 }, (_, index) =>
      scene.turn([rows.order({ filled: index, status: 1 })], { from: scene.sequence + index }),
    )
    await Promise.all(turns.map((turn) => scene.store.shard.commit(turn)))
    assert.equal((await scene.store.reads.order(house, 10))?.filled, 19)
  },

  'the rows of a turn can be sent again after it failed': async (scene) => {
    await scene.commit(...plainMarket)
    const turn = scene.turn([rows.newOrder({ operatorNumber: participant, playerId: 'zoë' })])
    const late = { ...turn, epoch: turn.epoch - 1 }
    await failureOf(scene.store.shard.commit(late))
    await scene.store.shard.commit(turn)
    assert.equal((await scene.store.reads.order(participant, 10))?.playerId, 'zoë')
  },

  'a turn may be large': async (scene) => {
    await scene.commit(...plainMarket)
    const body = 'x'.repeat(200_000)
    const orders = Array.from({ length: 2_000 }, (_, index) =>
      rows.newOrder({ serial: 100 + index }),
    )
    await scene.commit(...orders, rows.eventRecord({ body }), rows.eventSequence())
    const events = await scene.store.reads.events({
      operatorNumber: house,
      since: 0,
      types: null,
      marketSerial: null,
      limit: 10,
      notBefore: 0,
    })
    assert.equal(events.rows[0]?.body, body)
    assert.notEqual(await scene.store.reads.order(house, 2_099), null)
  },

  'a store with room says so': async (scene) => {
    assert.equal(await scene.store.shard.probe(), true)
  },

  'a closed store refuses turns as surely not stored': async (scene) => {
    const turn = scene.turn(plainMarket)
    const { store } = scene
    await scene.reopen()
    assert.equal((await failureOf(store.shard.commit(turn))).outcome, 'aborted')
    await assert.rejects(store.reads.market(1), { name: 'StoreUnavailable' })
  },

  'closing waits for the turns that were handed in': async (scene) => {
    const { store } = scene
    const committed = store.shard.commit(scene.turn(plainMarket))
    const closed = store.close()
    await scene.reopen()
    await closed
    await committed
    assert.notEqual(await scene.store.reads.market(1), null)
  },
}
