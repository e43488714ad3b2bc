// What a store guarantees for orders, trades and transactionIds.

import assert from 'node:assert/strict'
import { type OrderOptions, packOptions } from '../../src/core/orders/options.ts'
import type { OrderQuery, TradeQuery } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import {
  countedOrder,
  countedTrade,
  market,
  no,
  owner,
  participant,
  plainMarket,
  rows,
  startMs,
  yes,
} from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const anyOrder: OrderQuery = {
  operatorNumber: owner,
  marketSerial: null,
  outcomeSerial: null,
  playerId: null,
  side: null,
  type: null,
  statuses: null,
  transactionId: null,
  after: null,
  limit: 100,
}
const anyTrade: TradeQuery = {
  operatorNumber: owner,
  marketSerial: null,
  outcomeSerial: null,
  orderSerial: null,
  playerId: null,
  after: null,
  limit: 100,
}

const serialsOf = (list: readonly { readonly serial: number }[]) => list.map(({ serial }) => serial)

export const orderTests: StoreTests = {
  'an order is read as it was stored, and only by its own operator': async (fixture) => {
    await fixture.commit(...plainMarket)
    const times = { createdAt: startMs + 1, updatedAt: startMs + 2, expiresAt: startMs + 9 }
    const amounts = { shares: 2_000, filled: 500, cost: 2_450_000, price: 4_900 }
    const words = { isSell: 1, status: 1, transactionId: 'tx-1', fingerprint: -5, playerId: 'Zoë' }
    const options: OrderOptions = {
      timeInForce: 'IOC',
      isPostOnly: false,
      selfTradePrevention: 'CANCEL_OLDEST',
    }
    const packed = packOptions(options)
    await fixture.commit(rows.newOrder({ ...times, ...amounts, ...words, options: packed }))
    assert.deepEqual(await fixture.shard.reads.order(owner, serial(10)), {
      serial: 10,
      ...times,
      marketSerial: market,
      marketCreatedAt: startMs,
      outcomeSerial: yes,
      operatorId: 'operator-1',
      playerId: 'Zoë',
      side: 'SELL',
      ...amounts,
      status: 'PARTIAL',
      options,
      transactionId: 'tx-1',
      orderGroup: null,
    })
    assert.equal(await fixture.shard.reads.order(participant, serial(10)), null)
    assert.equal(await fixture.shard.reads.order(owner, serial(999)), null)
  },

  'an order by amount is read with what it has spent, by its transactionId, too': async (
    fixture,
  ) => {
    await fixture.commit(...plainMarket)
    const spending = { amount: 10_000_000, spent: 90_000_000_001 }
    const closed = { status: 2, price: 0, transactionId: 'tx-1', fingerprint: 1 }
    await fixture.commit(rows.newOrder(closed), rows.orderAmount(spending))
    const { reads } = fixture.shard
    assert.deepEqual((await reads.order(owner, serial(10)))!.spending, spending)
    const found = await reads.byTransactionId(owner, 'tx-1')
    assert.deepEqual(found?.kind === 'ORDER' ? found.order.spending : null, spending)
  },

  'a turn with many rows of a kind stores each of them': async (fixture) => {
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
    await fixture.commit(
      ...plainMarket,
      ...numbers.map((number) => rows.trade(tradeOf(number))),
      ...numbers.map((number) => rows.newOrder(orderOf(number))),
      rows.tally(counts),
      rows.tally({ ...counts, marketSerial: market }),
    )
    const orders = (await fixture.shard.reads.orders(anyOrder)).rows.toReversed()
    const trades = (await fixture.shard.reads.trades(anyTrade)).rows.toReversed()
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

  'a changed order is read with its changes; a MARKET order has no price': async (fixture) => {
    await fixture.commit(...plainMarket, rows.newOrder({ price: 0 }))
    await fixture.commit(rows.order({ filled: 7, cost: 70, status: 3, updatedAt: startMs + 3 }))
    const order = await fixture.shard.reads.order(owner, serial(10))
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

  'each filter of orders returns the matching orders and their total': async (fixture) => {
    const other = { marketSerial: 5, outcomeSerial: 6 }
    await fixture.commit(
      ...plainMarket,
      rows.market({ serial: 5 }),
      countedOrder({ serial: 10 }),
      countedOrder({ serial: 11, isSell: 1, outcomeSerial: no }),
      countedOrder({ serial: 12, ...other, playerId: 'bob', price: 0, status: 2 }),
      countedOrder({ serial: 13, ...other, transactionId: 'tx', status: 1 }),
      countedOrder({ serial: 14, operatorNumber: participant }),
    )
    const expected: [Partial<OrderQuery>, number[]][] = [
      [{}, [13, 12, 11, 10]],
      [{ operatorNumber: participant }, [14]],
      [{ marketSerial: market }, [11, 10]],
      [{ marketSerial: serial(5) }, [13, 12]],
      [{ outcomeSerial: no }, [11]],
      [{ marketSerial: market, outcomeSerial: no }, [11]],
      [{ playerId: 'bob' }, [12]],
      [{ playerId: 'ann', marketSerial: serial(5) }, [13]],
      [{ side: 'SELL' }, [11]],
      [{ type: 'MARKET' }, [12]],
      [{ type: 'LIMIT', marketSerial: serial(5) }, [13]],
      [{ statuses: ['FILLED'] }, [12]],
      [{ statuses: ['PENDING', 'PARTIAL'] }, [13, 11, 10]],
      [{ statuses: ['PARTIAL'], playerId: 'ann' }, [13]],
      [{ statuses: ['PENDING', 'FILLED'], marketSerial: serial(5) }, [12]],
      [{ statuses: [] }, []],
      [{ transactionId: 'tx' }, [13]],
      [{ transactionId: 'tx', marketSerial: market }, []],
      [{ marketSerial: serial(77) }, []],
    ]
    for (const [filter, serials] of expected) {
      const page = await fixture.shard.reads.orders({ ...anyOrder, ...filter })
      assert.deepEqual(serialsOf(page.rows), serials, JSON.stringify(filter))
      assert.equal(page.total, serials.length, `total of ${JSON.stringify(filter)}`)
      assert.equal(page.hasMore, false)
    }
  },

  'pages of orders do not change while orders are added': async (fixture) => {
    const orders = Array.from({ length: 7 }, (_, index) => countedOrder({ serial: 10 + index }))
    await fixture.commit(...plainMarket, ...orders)
    const seen: number[] = []
    let after: number | null = null
    for (let page = 0; page < 4; page += 1) {
      const found = await fixture.shard.reads.orders({ ...anyOrder, after, limit: 2 })
      seen.push(...serialsOf(found.rows))
      assert.equal(found.hasMore, page < 3)
      assert.equal(found.total, 7 + page)
      after = seen.at(-1)!
      await fixture.commit(countedOrder({ serial: 100 + page }))
    }
    assert.deepEqual(seen, [16, 15, 14, 13, 12, 11, 10])
  },

  'an operator sees the trades of its orders, each once, and no others': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.market({ serial: 5 }),
      countedTrade({ serial: 20 }),
      countedTrade({
        serial: 21,
        buyerNumber: participant,
        sellerNumber: owner,
        outcomeSerial: no,
      }),
      countedTrade({ serial: 22, buyerNumber: owner, sellerNumber: owner }),
      countedTrade({ serial: 23, buyerNumber: participant, sellerNumber: participant }),
      countedTrade({ serial: 24, marketSerial: 5, outcomeSerial: 6 }),
    )
    const expected: [Partial<TradeQuery>, number[]][] = [
      [{}, [24, 22, 21, 20]],
      [{ operatorNumber: participant }, [24, 23, 21, 20]],
      [{ marketSerial: market }, [22, 21, 20]],
      [{ marketSerial: market, operatorNumber: participant }, [23, 21, 20]],
      [{ outcomeSerial: yes }, [22, 20]],
      [{ outcomeSerial: yes, marketSerial: serial(5) }, []],
      [{ operatorNumber: 77 }, []],
    ]
    for (const [filter, serials] of expected) {
      const page = await fixture.shard.reads.trades({ ...anyTrade, ...filter })
      assert.deepEqual(serialsOf(page.rows), serials, JSON.stringify(filter))
      assert.equal(page.total, serials.length, `total of ${JSON.stringify(filter)}`)
    }
    const second = await fixture.shard.reads.trades({ ...anyTrade, after: 24, limit: 2 })
    assert.deepEqual(serialsOf(second.rows), [22, 21])
    assert.equal(second.hasMore, true)
  },

  'a trade is read as it was stored': async (fixture) => {
    await fixture.commit(...plainMarket, rows.trade({ kind: 2 }))
    const { rows: trades } = await fixture.shard.reads.trades(anyTrade)
    assert.deepEqual(trades, [
      {
        serial: 20,
        createdAt: startMs,
        marketSerial: market,
        marketCreatedAt: startMs,
        outcomeSerial: yes,
        buyOrderSerial: 10,
        buyOrderCreatedAt: startMs,
        sellOrderSerial: 11,
        sellOrderCreatedAt: startMs,
        buyerOperatorId: 'operator-1',
        sellerOperatorId: 'operator-2',
        price: 5_000,
        shares: 100,
        buyerFee: 1_000,
        sellerFee: 2_000,
        kind: 'MERGE',
        isSell: true,
        isIncoming: true,
      },
    ])
  },

  'the trades of a placement end at the first trade of another incoming order': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.trade({ serial: 20, sellOrderSerial: 19, isSellIncoming: 1, buyOrderSerial: 10 }),
      rows.trade({ serial: 22, sellOrderSerial: 19, isSellIncoming: 1, buyOrderSerial: 12 }),
      // A trade in which the order of the placement rests.
      rows.trade({ serial: 25, sellOrderSerial: 19, isSellIncoming: 0, buyOrderSerial: 24 }),
      rows.trade({ serial: 28, sellOrderSerial: 19, isSellIncoming: 0, buyOrderSerial: 27 }),
      // A trade in which it is incoming again, after an amendment.
      rows.trade({ serial: 31, sellOrderSerial: 19, isSellIncoming: 1, buyOrderSerial: 10 }),
    )
    const { reads } = fixture.shard
    assert.deepEqual(
      serialsOf(await reads.placementTrades({ orderSerial: serial(19), limit: 100 })),
      [20, 22],
    )
    assert.deepEqual(
      serialsOf(await reads.placementTrades({ orderSerial: serial(24), limit: 100 })),
      [25],
    )
    assert.deepEqual(
      serialsOf(await reads.placementTrades({ orderSerial: serial(10), limit: 100 })),
      [],
    )
    assert.deepEqual(
      serialsOf(await reads.placementTrades({ orderSerial: serial(99), limit: 100 })),
      [],
    )
  },

  'the trades of an order are those in which it is on either side, for its operator': async (
    fixture,
  ) => {
    const [buyer, seller] = [{ buyerNumber: owner }, { sellerNumber: participant }]
    await fixture.commit(
      ...plainMarket,
      rows.trade({ serial: 20, buyOrderSerial: 10, sellOrderSerial: 19, ...buyer, ...seller }),
      rows.trade({ serial: 22, buyOrderSerial: 12, sellOrderSerial: 19, ...buyer, ...seller }),
      rows.trade({ serial: 25, buyOrderSerial: 10, sellOrderSerial: 24, ...buyer, ...seller }),
    )
    for (let time = 0; time < 2; time += 1) {
      const found = async (operatorNumber: number, order: number) => {
        const query = { ...anyTrade, operatorNumber, orderSerial: serial(order) }
        const { rows: trades, total } = await fixture.shard.reads.trades(query)
        assert.equal(total, trades.length)
        return serialsOf(trades)
      }
      assert.deepEqual(await found(owner, 10), [25, 20])
      assert.deepEqual(await found(participant, 19), [22, 20])
      assert.deepEqual(await found(owner, 19), [], 'the order on the other side is not its own')
      assert.deepEqual(await found(owner, 99), [])
      await fixture.reopen()
    }
  },

  'a transactionId finds the newest order or sets that used it': async (fixture) => {
    const key = { transactionId: 'tx', fingerprint: 123 }
    await fixture.commit(...plainMarket, rows.newOrder({ serial: 10, ...key }))
    const { reads } = fixture.shard
    const first = await reads.byTransactionId(owner, 'tx')
    assert.equal(first?.kind === 'ORDER' && first.order.serial, 10)
    assert.equal(first?.fingerprint, 123)
    assert.equal(first?.marketStatus, 'OPEN')

    await fixture.commit(rows.sets({ serial: 40, ...key, isRedeem: 1 }), rows.market({ status: 6 }))
    const second = await reads.byTransactionId(owner, 'tx')
    assert.deepEqual(second, {
      kind: 'SETS',
      sets: {
        serial: 40,
        createdAt: startMs,
        marketSerial: market,
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
    assert.equal(await reads.byTransactionId(owner, 'Tx'), null)
  },
}
