// What a store guarantees for open orders: slices and amendments.

import assert from 'node:assert/strict'
import { serial } from '../support/core/steps.ts'
import { no, owner, participant, plainMarket, rows, startMs } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const serialsOf = (list: readonly { readonly serial: number }[]) => list.map(({ serial }) => serial)

export const openOrderTests: StoreTests = {
  'the trades of a placement do not include those of a later amendment': async (fixture) => {
    const own = { sellOrderSerial: 19, isSellIncoming: 1, buyOrderSerial: 10 }
    await fixture.commit(
      ...plainMarket,
      rows.trade({ serial: 20, ...own }),
      rows.trade({ serial: 22, ...own, createdAt: startMs + 1 }),
    )
    assert.deepEqual(
      serialsOf(await fixture.store.reads.placementTrades({ orderSerial: serial(19), limit: 100 })),
      [20],
    )
  },

  'open orders are read in slices, newest first, with every filter': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.newOrder({ serial: 10, playerId: 'ann' }),
      rows.newOrder({ serial: 11, playerId: 'bob', isSell: 1, status: 1, filled: 1 }),
      rows.newOrder({ serial: 12, playerId: 'ann', status: 2 }),
      rows.newOrder({
        serial: 13,
        playerId: 'ann',
        outcomeSerial: no,
        operatorNumber: participant,
      }),
      rows.newOrder({ serial: 14, playerId: 'ann', outcomeSerial: no }),
      rows.newOrder({ serial: 15, playerId: 'bob', marketSerial: 77 }),
    )
    const any = {
      operatorNumber: owner,
      marketSerial: null,
      outcomeSerial: null,
      playerId: null,
      side: null,
    }
    const found = async (filter: object, after: number | null = null, limit = 10) => {
      const slice = await fixture.store.reads.openOrders({ ...any, ...filter, after, limit })
      return [...slice.serials, slice.next]
    }
    assert.deepEqual(await found({}), [15, 14, 11, 10, null])
    assert.deepEqual(await found({ playerId: 'ann' }), [14, 10, null])
    assert.deepEqual(await found({ side: 'SELL' }), [11, null])
    assert.deepEqual(await found({ side: 'BUY', outcomeSerial: no }), [14, null])
    assert.deepEqual(await found({ marketSerial: 77 }), [15, null])
    assert.deepEqual(await found({ operatorNumber: participant }), [13, null])
    assert.deepEqual(await found({ playerId: 'ann' }, null, 2), [14, 14])
    assert.deepEqual(await found({ playerId: 'ann' }, 14, 2), [10, 10])
    assert.deepEqual(await found({ playerId: 'ann' }, 10, 2), [null])
  },

  'an amended order is read with its changes and loaded at its new place in the queue': async (
    fixture,
  ) => {
    await fixture.commit(
      ...plainMarket,
      rows.newOrder({ serial: 10, transactionId: 'tx', fingerprint: 5 }),
      rows.newOrder({ serial: 11, queueSerial: 11 }),
    )
    const amended = { filled: 100, cost: 510_000, status: 1, queueSerial: 90 }
    await fixture.commit(rows.amendedOrder({ serial: 10, ...amended, shares: 300, price: 5_100 }))
    const order = await fixture.store.reads.order(owner, serial(10))
    assert.partialDeepStrictEqual(order, {
      shares: 300,
      price: 5_100,
      filled: 100,
      cost: 510_000,
      status: 'PARTIAL',
      createdAt: startMs,
      updatedAt: startMs + 1,
      transactionId: 'tx',
    })
    const { records } = await fixture.store.shard.load()
    const loaded = [...records.orders]
    assert.deepEqual(
      loaded.map(({ serial, queueSerial }) => [serial, queueSerial]),
      [
        [11, 11],
        [10, 90],
      ],
    )
    assert.partialDeepStrictEqual(loaded[1], { shares: 300, price: 5_100, filled: 100 })
  },
}
