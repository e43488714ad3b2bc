// Who meets whom, at which price, for how many shares.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant } from '../../../test/support/core/exchange.ts'
import { check, checkBothSides } from '../../../test/support/core/script.ts'

describe('price', () => {
  test('a LIMIT BUY meets the lowest ask first, up to and including its limit', () => {
    check(`
      sell S1 10 @ 62
      sell S2 10 @ 60
      sell S3 10 @ 61
      sell S4 10 @ 62.01
      buy  B1 40 @ 62
      trade S2 B1 10 @ 60
      trade S3 B1 10 @ 61
      trade S1 B1 10 @ 62
      rests S4 10 @ 62.01
      rests B1 10 @ 62
    `)
  })

  test('a LIMIT SELL meets the highest bid first, down to and including its limit', () => {
    check(`
      buy  B1 10 @ 58
      buy  B2 10 @ 60
      buy  B3 10 @ 59
      buy  B4 10 @ 57.99
      sell S1 40 @ 58
      trade S1 B2 10 @ 60
      trade S1 B3 10 @ 59
      trade S1 B1 10 @ 58
      rests B4 10 @ 57.99
      rests S1 10 @ 58
    `)
  })

  test('an order one tick short of the best price rests', () => {
    checkBothSides(`
      sell S1 10 @ 60
      buy  B1 10 @ 59.99
      rests S1 10 @ 60
      rests B1 10 @ 59.99
    `)
  })

  test('a trade is at the price of the resting order, however much the incoming one offers', () => {
    checkBothSides(`
      sell S1 10 @ 1
      buy  B1 10 @ 99
      trade S1 B1 10 @ 1
    `)
  })

  test('a level that was emptied and filled again keeps its order of price', () => {
    checkBothSides(`
      sell S1 10 @ 60
      sell S2 10 @ 61
      buy  B1 10 @ 60
      sell S3 10 @ 60
      sell S4 10 @ 59
      buy  B2 40 @ 61
      trade S1 B1 10 @ 60
      trade S4 B2 10 @ 59
      trade S3 B2 10 @ 60
      trade S2 B2 10 @ 61
      rests B2 10 @ 61
    `)
  })
})

describe('time', () => {
  test('at one price the earlier order goes first', () => {
    checkBothSides(`
      sell S1 10 @ 60
      sell S2 10 @ 60
      sell S3 10 @ 60
      buy  B1 25 @ 60
      trade S1 B1 10 @ 60
      trade S2 B1 10 @ 60
      trade S3 B1 5 @ 60
      rests S3 5 @ 60
    `)
  })

  test('a better price goes before an earlier order', () => {
    checkBothSides(`
      sell S1 10 @ 60
      sell S2 10 @ 59.99
      buy  B1 10 @ 60
      trade S2 B1 10 @ 59.99
      rests S1 10 @ 60
    `)
  })

  test('a partly filled order keeps its place in the queue', () => {
    checkBothSides(`
      sell S1 30 @ 60
      sell S2 30 @ 60
      buy  B1 10 @ 60
      buy  B2 30 @ 60
      trade S1 B1 10 @ 60
      trade S1 B2 20 @ 60
      trade S2 B2 10 @ 60
      rests S2 20 @ 60
    `)
  })

  test('the rest of an incoming order queues behind the orders already there', () => {
    checkBothSides(`
      sell S1 10 @ 60
      sell S2 10 @ 61
      buy  B1 10 @ 59
      sell S3 15 @ 59
      sell S4 10 @ 59
      trade S3 B1 10 @ 59
      buy  B2 20 @ 60
      trade S3 B2 5 @ 59
      trade S4 B2 10 @ 59
      trade S1 B2 5 @ 60
      rests S1 5 @ 60
      rests S2 10 @ 61
    `)
  })

  test('a cancelled order leaves the queue and those around it keep their order', () => {
    checkBothSides(`
      sell S1 10 @ 60
      sell S2 10 @ 60
      sell S3 10 @ 60
      cancel S2
      buy  B1 20 @ 60
      trade S1 B1 10 @ 60
      trade S3 B1 10 @ 60
    `)
  })

  test('an order placed again after a cancel is at the end of the queue', () => {
    checkBothSides(`
      sell S1 10 @ 60
      sell S2 10 @ 60
      cancel S1
      sell S1 10 @ 60
      buy  B1 10 @ 60
      trade S2 B1 10 @ 60
      rests S1 10 @ 60
    `)
  })
})

describe('shares', () => {
  test('a trade is of the smaller of the two orders, to the hundredth', () => {
    checkBothSides(`
      sell S1 10.01 @ 60
      buy  B1 10 @ 60
      buy  B2 1 @ 60
      trade S1 B1 10 @ 60
      trade S1 B2 0.01 @ 60
      rests B2 0.99 @ 60
    `)
  })

  test('an incoming order trades with many resting ones, and the last only in part', () => {
    const asks = Array.from({ length: 40 }, (_, at) => `sell S${at} 2 @ ${50 + (at % 4)}`)
    const inOrder = [0, 1, 2, 3].flatMap((level) =>
      Array.from({ length: 10 }, (_, at) => `trade S${at * 4 + level} B1 2 @ ${50 + level}`),
    )
    const last = `trade S39 B1 1 @ 53\n rests S39 1 @ 53`
    const trades = `${inOrder.slice(0, -1).join('\n')}\n${last}`
    checkBothSides(`${asks.join('\n')}\n buy B1 79 @ 53\n ${trades}`)
  })
})

test('an order in one outcome does not meet those in another', () => {
  const exchange = newExchange()
  exchange.mint('ann', 10)
  exchange.sell('ann', 10, 0.6, { outcome: 1 })
  assert.deepEqual(exchange.buy('bob', 10, 0.6, { outcome: 0 }).placement!.trades, [])
  assert.equal(exchange.buy('bob', 10, 0.6, { outcome: 1 }).placement!.trades.length, 1)
})

test('an order in one market does not meet those in another', () => {
  const exchange = newExchange()
  const market = exchange.marketSerial
  exchange.mint('ann', 10)
  exchange.sell('ann', 10, 0.6)
  exchange.createMarket()
  exchange.manage('open')
  assert.deepEqual(exchange.buy('bob', 10, 0.6).placement!.trades, [])
  assert.equal(exchange.buy('bob', 10, 0.6, { market }).placement!.trades.length, 1)
})

describe('fees', () => {
  /** The fees of 1.23 shares at 0.1234 between the house (selling) and a participant. */
  function feesOf(
    housePercent: number | null,
    participantPercent: number | null,
    incoming: string,
  ) {
    const exchange = newExchange()
    exchange.putOperator('house', housePercent)
    exchange.putOperator(participant, participantPercent)
    exchange.mint('ann', 10)
    if (incoming === 'SELL') exchange.buy('bob', 1.23, 0.1234, { operator: participant })
    const sale = exchange.sell('ann', 1.23, 0.1234)
    const last =
      incoming === 'SELL' ? sale : exchange.buy('bob', 1.23, 0.1234, { operator: participant })
    const [trade] = last.placement!.trades
    return { seller: trade!.sellerFee, buyer: trade!.buyerFee }
  }

  // 1.23 shares at 0.1234 are 0.151782; one unit of a fee is 1e-10.
  for (const incoming of ['BUY', 'SELL']) {
    test(`each side pays its operator's rate, exact to 1e-10, on an incoming ${incoming}`, () => {
      assert.deepEqual(feesOf(1.37, 0.01, incoming), { seller: 20_794_134, buyer: 151_782 })
    })
  }

  test('an operator without a rate of its own pays that of the exchange', () => {
    assert.deepEqual(feesOf(null, 0, 'BUY'), { seller: 30_356_400, buyer: 0 })
  })

  test('a rate counts as it stood at the trade, not when the order was placed', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.sell('ann', 10, 0.5)
    exchange.putOperator('house', 4)
    const [trade] = exchange.buy('bob', 10, 0.5, { operator: participant }).placement!.trades
    assert.deepEqual([trade!.sellerFee, trade!.buyerFee], [2_000_000_000, 1_000_000_000])
  })

  test('the fee of the largest order at 100 % is exact', () => {
    const exchange = newExchange()
    exchange.putOperator('house', 100)
    exchange.mint('ann', 100_000)
    exchange.sell('ann', 99_999.99, 0.9899)
    const [trade] = exchange.buy('bob', 99_999.99, 0.9899, { operator: participant }).placement!
      .trades
    assert.equal(BigInt(trade!.sellerFee), 9_999_999n * 9_899n * 10_000n)
  })
})
