// What a store guarantees for open orders: slices and amendments.

import assert from 'node:assert/strict'
import type { OpenOrdersCursor, OpenOrdersQuery, OpenOrdersSlice } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { market, no, owner, participant, plainMarket, rows, startMs, yes } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const serialsOf = (list: readonly { readonly serial: number }[]) => list.map(({ serial }) => serial)

const descending = (one: number, other: number) => other - one

export const openOrderTests: StoreTests = {
  'the trades of a placement do not include those of a later amendment': async (fixture) => {
    const own = { sellOrderSerial: 19, isSellIncoming: 1, buyOrderSerial: 10 }
    await fixture.commit(
      ...plainMarket,
      rows.trade({ serial: 20, ...own }),
      rows.trade({ serial: 22, ...own, createdAt: startMs + 1 }),
    )
    assert.deepEqual(
      serialsOf(await fixture.shard.reads.placementTrades({ orderSerial: serial(19), limit: 100 })),
      [20],
    )
  },

  'open orders are read in slices with every filter': async (fixture) => {
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
    const slicesOf = async (filter: object, limit: number) => {
      const slices: (readonly number[])[] = []
      for (let after: OpenOrdersCursor | null = null; ; ) {
        const query: OpenOrdersQuery = { ...any, ...filter, after, limit }
        const slice: OpenOrdersSlice = await fixture.shard.reads.openOrders(query)
        slices.push(slice.serials)
        after = slice.next
        if (after === null) return slices
      }
    }
    const expected: [filter: object, serials: number[]][] = [
      [{ playerId: 'ann' }, [14, 10]],
      [{ playerId: 'ann', outcomeSerial: no }, [14]],
      [{ playerId: 'nobody' }, []],
      [{ side: 'SELL' }, [11]],
      [{ side: 'BUY' }, [15, 14, 10]],
      [{ outcomeSerial: no }, [14]],
      [{ side: 'BUY', outcomeSerial: no }, [14]],
      [{ side: 'SELL', outcomeSerial: no }, []],
      [{ outcomeSerial: 99 }, []],
      [{ marketSerial: market }, [14, 11, 10]],
      [{ marketSerial: market, side: 'BUY' }, [14, 10]],
      [{ marketSerial: market, outcomeSerial: yes }, [11, 10]],
      [{ marketSerial: 77, outcomeSerial: yes }, []],
      [{ marketSerial: 77 }, [15]],
      [{ operatorNumber: participant, side: 'BUY' }, [13]],
    ]
    for (const [filter, serials] of expected) {
      const title = JSON.stringify(filter)
      assert.deepEqual(await slicesOf(filter, 10), [serials], title)
      const single = await slicesOf(filter, 1)
      assert.deepEqual(single.flat().toSorted(descending), serials, `${title}, one by one`)
      assert.ok(
        single.every(({ length }) => length <= 1),
        title,
      )
    }
  },

  'orders that are placed after the first slice are in none of the slices': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.newOrder({ serial: 10 }),
      rows.newOrder({ serial: 11, outcomeSerial: no, isSell: 1 }),
    )
    for (const [filter, remaining] of [
      [{ marketSerial: market, playerId: null }, [11]],
      [{ marketSerial: null, playerId: 'ann' }, [10]],
    ] as const) {
      const query = { operatorNumber: owner, outcomeSerial: null, side: null, ...filter, limit: 1 }
      const first = await fixture.shard.reads.openOrders({ ...query, after: null })
      const late = 20 + fixture.sequence
      await fixture.commit(
        rows.newOrder({ serial: late, outcomeSerial: no }),
        rows.newOrder({ serial: late + 100, outcomeSerial: no, isSell: 1 }),
      )
      const rest = await fixture.shard.reads.openOrders({ ...query, after: first.next, limit: 10 })
      assert.deepEqual([first.serials.length, rest.serials], [1, remaining])
      await fixture.commit(rows.order({ serial: late }), rows.order({ serial: late + 100 }))
    }
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
    const order = await fixture.shard.reads.order(owner, serial(10))
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
    const { records } = await fixture.shard.load()
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
