// What a store promises of orders that are open: they are found in slices, and can be amended.

import assert from 'node:assert/strict'
import { house, no, participant, plainMarket, rows, startMs } from './sample-rows.ts'
import type { StoreTests } from './store-scene.ts'

const serialsOf = (list: readonly { readonly serial: number }[]) => list.map(({ serial }) => serial)

export const openOrderTests: StoreTests = {
  'the trades of a placement are none that a later amendment made': async (scene) => {
    const own = { sellOrderSerial: 19, isSellIncoming: 1, buyOrderSerial: 10 }
    await scene.commit(
      ...plainMarket,
      rows.trade({ serial: 20, ...own }),
      rows.trade({ serial: 22, ...own, createdAt: startMs + 1 }),
    )
    assert.deepEqual(serialsOf(await scene.store.reads.placementTrades(19)), [20])
  },

  'open orders are found slice by slice, newest first, whatever the filter': async (scene) => {
    await scene.commit(
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
      operatorNumber: house,
      marketSerial: null,
      outcomeSerial: null,
      playerId: null,
      side: null,
    }
    const found = async (filter: object, after: number | null = null, limit = 10) => {
      const slice = await scene.store.reads.openOrders({ ...any, ...filter, after, limit })
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

  'an amended order is read as it is now, and loaded in its new place': async (scene) => {
    await scene.commit(
      ...plainMarket,
      rows.newOrder({ serial: 10, transactionId: 'tx', fingerprint: 5 }),
      rows.newOrder({ serial: 11, queueSerial: 11 }),
    )
    const amended = { filled: 100, cost: 510_000, status: 1, queueSerial: 90 }
    await scene.commit(rows.amendedOrder({ serial: 10, ...amended, shares: 300, price: 5_100 }))
    const order = await scene.store.reads.order(house, 10)
    assert.partialDeepStrictEqual(order, {
      ...{ shares: 300, price: 5_100, filled: 100, cost: 510_000, status: 'PARTIAL' },
      ...{ createdAt: startMs, updatedAt: startMs + 1, transactionId: 'tx' },
    })
    const { records } = await scene.store.shard.load()
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
