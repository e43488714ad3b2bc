// What a store promises of orders, trades and transactionIds.

import assert from 'node:assert/strict'
import { type OrderOptions, packOptions } from '../../src/core/orders/options.ts'
import type { OrderQuery, TradeQuery } from '../../src/store/store.ts'
import {
  countedOrder,
  countedTrade,
  house,
  market,
  no,
  participant,
  plainMarket,
  rows,
  startMs,
  yes,
} from './sample-rows.ts'
import type { StoreTests } from './store-scene.ts'

const anyOrder: OrderQuery = {
  operator: house,
  market: null,
  outcome: null,
  playerId: null,
  side: null,
  type: null,
  statuses: null,
  transactionId: null,
  after: null,
  limit: 100,
}
const anyTrade: TradeQuery = {
  operator: house,
  market: null,
  outcome: null,
  after: null,
  limit: 100,
}

const serialsOf = (list: readonly { readonly serial: number }[]) => list.map(({ serial }) => serial)

export const orderTests: StoreTests = {
  'an order is read back as it was stored, by its own operator only': async (scene) => {
    await scene.commit(...plainMarket)
    const times = { createdAt: startMs + 1, updatedAt: startMs + 2, expiresAt: startMs + 9 }
    const amounts = { shares: 2_000, filled: 500, cost: 2_450_000, price: 4_900 }
    const words = { isSell: 1, status: 1, transactionId: 'tx-1', fingerprint: -5, playerId: 'Zoë' }
    const options: OrderOptions = {
      timeInForce: 'IOC',
      isPostOnly: false,
      selfTradePrevention: 'CANCEL_OLDEST',
    }
    const packed = packOptions(options)
    await scene.commit(rows.newOrder({ ...times, ...amounts, ...words, options: packed }))
    assert.deepEqual(await scene.store.reads.order(house, 10), {
      serial: 10,
      ...times,
      market,
      marketCreatedAt: startMs,
      outcome: yes,
      operatorId: 'operator-1',
      playerId: 'Zoë',
      side: 'SELL',
      ...amounts,
      status: 'PARTIAL',
      options,
      transactionId: 'tx-1',
    })
    assert.equal(await scene.store.reads.order(participant, 10), null)
    assert.equal(await scene.store.reads.order(house, 999), null)
  },

  'of many rows that a turn has of a kind, each is stored as it is': async (scene) => {
    const numbers = Array.from({ length: 27 }, (_, number) => number)
    const orderOf = (number: number) => ({
      serial: 100 + number,
      price: 4_000 + number,
      shares: 500 - number,
      playerId: `player ${number}`,
      transactionId: number % 3 === 0 ? null : `tx-${number}`,
    })
    const tradeOf = (number: number) => ({ serial: 200 + number, price: 6_000 - number })
    const counts = { orders: numbers.length, trades: numbers.length }
    await scene.commit(
      ...plainMarket,
      ...numbers.map((number) => rows.trade(tradeOf(number))),
      ...numbers.map((number) => rows.newOrder(orderOf(number))),
      rows.tally(counts),
      rows.tally({ ...counts, market }),
    )
    const orders = (await scene.store.reads.orders(anyOrder)).rows.toReversed()
    const trades = (await scene.store.reads.trades(anyTrade)).rows.toReversed()
    assert.deepEqual(
      orders.map(({ serial, price, shares, playerId, transactionId }) => {
        return { serial, price, shares, playerId, transactionId }
      }),
      numbers.map(orderOf),
    )
    assert.deepEqual(
      trades.map(({ serial, price }) => ({ serial, price })),
      numbers.map(tradeOf),
    )
  },

  'a change of an order shows; a MARKET order has no price and may never expire': async (scene) => {
    await scene.commit(...plainMarket, rows.newOrder({ price: 0 }))
    await scene.commit(rows.order({ filled: 7, cost: 70, status: 3, updatedAt: startMs + 3 }))
    const order = await scene.store.reads.order(house, 10)
    const { filled, cost, status, updatedAt, price, expiresAt } = order!
    assert.deepEqual(
      { filled, cost, status, updatedAt, price, expiresAt },
      {
        filled: 7,
        cost: 70,
        status: 'CANCELLED',
        updatedAt: startMs + 3,
        price: null,
        expiresAt: null,
      },
    )
  },

  'each filter of orders leaves what it says, with the right total': async (scene) => {
    const other = { market: 5, outcome: 6 }
    await scene.commit(
      ...plainMarket,
      rows.market({ serial: 5 }),
      countedOrder({ serial: 10 }),
      countedOrder({ serial: 11, isSell: 1, outcome: no }),
      countedOrder({ serial: 12, ...other, playerId: 'bob', price: 0, status: 2 }),
      countedOrder({ serial: 13, ...other, transactionId: 'tx', status: 1 }),
      countedOrder({ serial: 14, operator: participant }),
    )
    const expected: [Partial<OrderQuery>, number[]][] = [
      [{}, [13, 12, 11, 10]],
      [{ operator: participant }, [14]],
      [{ market }, [11, 10]],
      [{ market: 5 }, [13, 12]],
      [{ outcome: no }, [11]],
      [{ market, outcome: no }, [11]],
      [{ playerId: 'bob' }, [12]],
      [{ playerId: 'ann', market: 5 }, [13]],
      [{ side: 'SELL' }, [11]],
      [{ type: 'MARKET' }, [12]],
      [{ type: 'LIMIT', market: 5 }, [13]],
      [{ statuses: ['FILLED'] }, [12]],
      [{ statuses: ['PENDING', 'PARTIAL'] }, [13, 11, 10]],
      [{ statuses: ['PARTIAL'], playerId: 'ann' }, [13]],
      [{ statuses: ['PENDING', 'FILLED'], market: 5 }, [12]],
      [{ statuses: [] }, []],
      [{ transactionId: 'tx' }, [13]],
      [{ transactionId: 'tx', market }, []],
      [{ market: 77 }, []],
    ]
    for (const [filter, serials] of expected) {
      const page = await scene.store.reads.orders({ ...anyOrder, ...filter })
      assert.deepEqual(serialsOf(page.rows), serials, JSON.stringify(filter))
      assert.equal(page.total, serials.length, `total of ${JSON.stringify(filter)}`)
      assert.equal(page.hasMore, false)
    }
  },

  'pages of orders stay as they are while orders are added': async (scene) => {
    const orders = Array.from({ length: 7 }, (_, index) => countedOrder({ serial: 10 + index }))
    await scene.commit(...plainMarket, ...orders)
    const seen: number[] = []
    let after: number | null = null
    for (let page = 0; page < 4; page += 1) {
      const found = await scene.store.reads.orders({ ...anyOrder, after, limit: 2 })
      seen.push(...serialsOf(found.rows))
      assert.equal(found.hasMore, page < 3)
      assert.equal(found.total, 7 + page)
      after = seen.at(-1)!
      await scene.commit(countedOrder({ serial: 100 + page }))
    }
    assert.deepEqual(seen, [16, 15, 14, 13, 12, 11, 10])
  },

  'an operator sees trades of either side, each once, and no others': async (scene) => {
    await scene.commit(
      ...plainMarket,
      rows.market({ serial: 5 }),
      countedTrade({ serial: 20 }),
      countedTrade({ serial: 21, buyer: participant, seller: house, outcome: no }),
      countedTrade({ serial: 22, buyer: house, seller: house }),
      countedTrade({ serial: 23, buyer: participant, seller: participant }),
      countedTrade({ serial: 24, market: 5, outcome: 6 }),
    )
    const expected: [Partial<TradeQuery>, number[]][] = [
      [{}, [24, 22, 21, 20]],
      [{ operator: participant }, [24, 23, 21, 20]],
      [{ market }, [22, 21, 20]],
      [{ market, operator: participant }, [23, 21, 20]],
      [{ outcome: yes }, [22, 20]],
      [{ outcome: yes, market: 5 }, []],
      [{ operator: 77 }, []],
    ]
    for (const [filter, serials] of expected) {
      const page = await scene.store.reads.trades({ ...anyTrade, ...filter })
      assert.deepEqual(serialsOf(page.rows), serials, JSON.stringify(filter))
      assert.equal(page.total, serials.length, `total of ${JSON.stringify(filter)}`)
    }
    const second = await scene.store.reads.trades({ ...anyTrade, after: 24, limit: 2 })
    assert.deepEqual(serialsOf(second.rows), [22, 21])
    assert.equal(second.hasMore, true)
  },

  'a trade is read back as it was stored': async (scene) => {
    await scene.commit(...plainMarket, rows.trade({ kind: 2 }))
    const { rows: trades } = await scene.store.reads.trades(anyTrade)
    assert.deepEqual(trades, [
      {
        serial: 20,
        createdAt: startMs,
        market,
        marketCreatedAt: startMs,
        outcome: yes,
        buyOrder: 10,
        buyOrderCreatedAt: startMs,
        sellOrder: 11,
        sellOrderCreatedAt: startMs,
        buyerOperatorId: 'operator-1',
        sellerOperatorId: 'operator-2',
        price: 5_000,
        shares: 100,
        buyerFee: 1_000,
        sellerFee: 2_000,
        kind: 'MERGE',
      },
    ])
  },

  'the trades of a placement end where another order came in': async (scene) => {
    await scene.commit(
      ...plainMarket,
      rows.trade({ serial: 20, sellOrder: 19, isSellIncoming: 1, buyOrder: 10 }),
      rows.trade({ serial: 22, sellOrder: 19, isSellIncoming: 1, buyOrder: 12 }),
      // The order of the placement above, resting by then.
      rows.trade({ serial: 25, sellOrder: 19, isSellIncoming: 0, buyOrder: 24 }),
      rows.trade({ serial: 28, sellOrder: 19, isSellIncoming: 0, buyOrder: 27 }),
      // And come in once more, which was no placement.
      rows.trade({ serial: 31, sellOrder: 19, isSellIncoming: 1, buyOrder: 10 }),
    )
    const { reads } = scene.store
    assert.deepEqual(serialsOf(await reads.placementTrades(19)), [20, 22])
    assert.deepEqual(serialsOf(await reads.placementTrades(24)), [25])
    assert.deepEqual(serialsOf(await reads.placementTrades(10)), [])
    assert.deepEqual(serialsOf(await reads.placementTrades(99)), [])
  },

  'a transactionId finds the newest order or sets that used it': async (scene) => {
    const key = { transactionId: 'tx', fingerprint: 123 }
    await scene.commit(...plainMarket, rows.newOrder({ serial: 10, ...key }))
    const { reads } = scene.store
    const first = await reads.byTransactionId(house, 'tx')
    assert.equal(first?.kind === 'ORDER' && first.order.serial, 10)
    assert.equal(first?.fingerprint, 123)
    assert.equal(first?.marketStatus, 'OPEN')

    await scene.commit(rows.sets({ serial: 40, ...key, isRedeem: 1 }), rows.market({ status: 6 }))
    const second = await reads.byTransactionId(house, 'tx')
    assert.deepEqual(second, {
      kind: 'SETS',
      sets: {
        serial: 40,
        createdAt: startMs,
        market,
        marketCreatedAt: startMs,
        playerId: 'ann',
        kind: 'REDEEM',
        shares: 100,
        transactionId: 'tx',
      },
      fingerprint: 123,
      marketStatus: 'SETTLED',
    })
    assert.equal(await reads.byTransactionId(participant, 'tx'), null)
    assert.equal(await reads.byTransactionId(house, 'Tx'), null)
  },
}
