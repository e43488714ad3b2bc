// What a store guarantees for the legs of a match by complete sets, which have one order only.

import assert from 'node:assert/strict'
import { issuer, type TradeQuery } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { no, owner, participant, plainMarket, rows, startMs, yes } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const ofOperator = (operator: number): TradeQuery => ({
  operatorNumber: operator,
  marketSerial: null,
  outcomeSerial: null,
  orderSerial: null,
  playerId: null,
  after: null,
  limit: 100,
})

const serialsOf = (list: readonly { readonly serial: number }[]) => list.map(({ serial }) => serial)

/** A leg of a mint, with the match in place of a SELL order. */
const mint = (leg: {
  serial: number
  buyOrderSerial: number
  match: number
  buyerNumber: number
}) => {
  const { match, ...own } = leg
  const sold = { sellOrderSerial: match, sellerNumber: issuer, sellerFee: 0 }
  return rows.trade({ ...own, ...sold, isSellIncoming: 0, kind: 1 })
}

export const legTests: StoreTests = {
  "a leg shows the market's owner as issuer, which does not make it visible to the owner": async (
    fixture,
  ) => {
    await fixture.commit(
      ...plainMarket,
      mint({ serial: 21, buyOrderSerial: 10, match: 20, buyerNumber: participant }),
      rows.trade({
        serial: 25,
        buyOrderSerial: 24,
        buyerNumber: issuer,
        sellerNumber: participant,
        kind: 2,
      }),
    )
    const { reads } = fixture.shard
    const { rows: trades } = await reads.trades(ofOperator(participant))
    assert.deepEqual(
      trades.map((trade) => [trade.kind, trade.buyerOperatorId, trade.sellerOperatorId]),
      [
        ['MERGE', 'operator-1', 'operator-2'],
        ['MINT', 'operator-2', 'operator-1'],
      ],
    )
    assert.equal(trades[1]?.sellOrderSerial, 20)
    assert.equal(trades[1]?.createdAt, startMs)
    for (const query of [{}, { marketSerial: serial(1) }, { outcomeSerial: yes }]) {
      const seen = await reads.trades({ ...ofOperator(owner), ...query })
      assert.deepEqual(seen.rows, [], JSON.stringify(query))
    }
  },

  'the trades of a placement are the legs of its matches that its operator may see': async (
    fixture,
  ) => {
    const leg = (serial: number, buyOrder: number, match: number, buyer: number) =>
      mint({ serial, buyOrderSerial: buyOrder, match, buyerNumber: buyer })
    await fixture.commit(
      ...plainMarket,
      leg(21, 19, 20, owner),
      leg(22, 10, 20, participant),
      leg(23, 11, 20, owner),
      rows.trade({
        serial: 24,
        buyOrderSerial: 19,
        sellOrderSerial: 12,
        isSellIncoming: 0,
        buyerNumber: owner,
      }),
      leg(26, 19, 25, owner),
      leg(27, 11, 25, owner),
      // Another placement, which matches that resting order.
      leg(30, 28, 29, participant),
      leg(31, 19, 29, owner),
    )
    const { reads } = fixture.shard
    assert.deepEqual(
      serialsOf(await reads.placementTrades({ orderSerial: serial(19), limit: 100 })),
      [21, 23, 24, 26, 27],
    )
    assert.deepEqual(
      serialsOf(await reads.placementTrades({ orderSerial: serial(28), limit: 100 })),
      [30],
    )
    assert.deepEqual(
      serialsOf(await reads.placementTrades({ orderSerial: serial(10), limit: 100 })),
      [],
    )
  },

  'a MERGE leg is a trade of its SELL order': async (fixture) => {
    const merge = (serial: number, sellOrder: number, seller: number, outcome: number) => {
      const bought = { buyOrderSerial: 20, buyerNumber: issuer, buyerFee: 0 }
      const sold = { sellOrderSerial: sellOrder, sellerNumber: seller, isSellIncoming: 1 }
      return rows.trade({ serial, outcomeSerial: outcome, ...bought, ...sold, kind: 2 })
    }
    await fixture.commit(...plainMarket, merge(21, 19, owner, yes), merge(22, 10, owner, no))
    const trades = await fixture.shard.reads.placementTrades({
      orderSerial: serial(19),
      limit: 100,
    })
    assert.deepEqual(serialsOf(trades), [21, 22])
    const sides = trades.map(({ isSell, isIncoming }) => [isSell, isIncoming])
    assert.deepEqual(sides, [
      [true, true],
      [true, false],
    ])
    assert.deepEqual(
      trades.map(({ kind, buyOrderSerial }) => [kind, buyOrderSerial]),
      [
        ['MERGE', 20],
        ['MERGE', 20],
      ],
    )
  },
}
