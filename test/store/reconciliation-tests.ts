// What a store guarantees for a player's exposure and the reconciliation of a market.

import assert from 'node:assert/strict'
import { market, no, owner, participant, plainMarket, rows, yes } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const nothing = { currencies: [], openOrders: 0, positions: 0 }

export const reconciliationTests: StoreTests = {
  'the exposure of a player has the fees that its own operator has in a market': async (
    fixture,
  ) => {
    const feeSchedule = { model: 'QUADRATIC', takerRate: 700, makerRate: 50 }
    await fixture.commit(
      ...plainMarket,
      rows.market({ serial: 5 }),
      rows.marketFees({ serial: 5, feeSchedule: JSON.stringify(feeSchedule) }),
      rows.newOrder({ serial: 10, shares: 100, price: 5_000 }),
      rows.newOrder({ serial: 11, shares: 200, price: 4_000, marketSerial: 5 }),
      rows.newOrder({ serial: 12, shares: 1, price: 1, marketSerial: 5 }),
      rows.newOrder({ serial: 14, shares: 10_001, price: 1, marketSerial: 5 }),
      rows.newOrder({
        ...{ serial: 13, shares: 3, price: 1, marketSerial: 5 },
        operatorNumber: participant,
      }),
    )
    const openBuys = async (operatorNumber: number) => {
      const { currencies } = await fixture.shard.reads.exposure({ operatorNumber, playerId: 'ann' })
      return new Set(currencies.flatMap((currency) => currency.openBuys))
    }
    const even = { spreadRest: 0, orders: 1 }
    const own = { value: 800_000n, spread: 200n * 4_000n * 6_000n, ...even, feeSchedule }
    // The fees of these two are rounded by as much.
    const uneven = { value: 10_002n, spread: 10_002n * 9_999n, spreadRest: 9_999, orders: 2 }
    const usual = { value: 500_000n, spread: 100n * 5_000n ** 2n, ...even, feeSchedule: null }
    assert.deepEqual(await openBuys(owner), new Set([own, { ...uneven, feeSchedule }, usual]))
    const spread = 3n * 9_999n
    const guest = { value: 3n, spread, spreadRest: 9_997, orders: 1, feeSchedule: null }
    assert.deepEqual(await openBuys(participant), new Set([guest]))
  },

  'the exposure of a player with many kinds of orders is bounded': async (fixture) => {
    // The spreads of the first 10,000 have different remainders.
    const shares = Array.from({ length: 10_000 }, (_, at) => at + 1)
    await fixture.commit(
      ...plainMarket,
      rows.market({ serial: 5, currency: 'EUR' }),
      ...shares.map((each) => rows.newOrder({ serial: 10 + each, shares: each, price: 1 })),
    )
    const exposure = async () => {
      const mine = { operatorNumber: owner, playerId: 'ann' }
      const { currencies, openOrders } = await fixture.shard.reads.exposure(mine)
      const spreads = currencies.flatMap(({ openBuys }) => openBuys.map(({ spread }) => spread))
      const sum = spreads.reduce((total, spread) => total + spread, 0n)
      return { kinds: spreads.length, sum, openOrders }
    }
    const sum = 50_005_000n * 9_999n
    assert.deepEqual(await exposure(), { kinds: 10_000, sum, openOrders: 10_000 })
    await fixture.commit(rows.newOrder({ serial: 20_000, marketSerial: 5, shares: 1, price: 1 }))
    assert.deepEqual(await exposure(), { kinds: 2, sum: sum + 9_999n, openOrders: 10_001 })
  },

  'the exposure of a player is its open BUY orders and positions, by currency': async (fixture) => {
    const mine = { operatorNumber: owner, playerId: 'ann' }
    await fixture.commit(
      ...plainMarket,
      rows.market({ serial: 5, currency: 'EUR' }),
      rows.newOrder({ serial: 10, shares: 1_000, price: 5_000 }),
      rows.newOrder({ serial: 11, shares: 1_000, filled: 400, price: 2_500, status: 1 }),
      rows.newOrder({ serial: 12, isSell: 1 }),
      rows.newOrder({ serial: 13, marketSerial: 5, shares: 90_000_000, price: 9_999 }),
      rows.newOrder({ serial: 14, status: 3 }),
      rows.newOrder({ serial: 15, playerId: 'bob' }),
      rows.newOrder({ serial: 16, operatorNumber: participant }),
      rows.position({ serial: 30, cost: 2n ** 70n }),
      rows.position({ serial: 31, marketSerial: 5, cost: 7n }),
      rows.position({ serial: 32, marketSerial: 5, cost: 0n, shares: 0 }),
      rows.position({ serial: 33, playerId: 'bob' }),
      rows.position({ serial: 34, operatorNumber: participant }),
    )
    const { exposure } = fixture.shard.reads
    const value = 90_000_000n * 9_999n
    const eur = { value, spread: value, spreadRest: 0, orders: 1 }
    const spread = 1_000n * 5_000n ** 2n + 600n * 2_500n * 7_500n
    const usd = { value: 6_500_000n, spread, spreadRest: 0, orders: 2 }
    assert.deepEqual(await exposure(mine), {
      currencies: [
        {
          currency: 'EUR',
          openBuyCost: eur.value,
          openBuys: [{ ...eur, feeSchedule: null }],
          positionsCost: 7n,
        },
        {
          currency: 'USD',
          openBuyCost: usd.value,
          openBuys: [{ ...usd, feeSchedule: null }],
          positionsCost: 2n ** 70n,
        },
      ],
      openOrders: 4,
      positions: 2,
    })
    assert.deepEqual(await exposure({ ...mine, playerId: 'Ann' }), nothing)
    assert.deepEqual(await exposure({ ...mine, operatorNumber: 77 }), nothing)
    await fixture.commit(
      ...[10, 11, 12, 13].map((serial) => rows.order({ serial })),
      rows.market({ status: 6 }),
      rows.market({ serial: 5, status: 7 }),
    )
    assert.deepEqual(await exposure(mine), nothing)
  },

  'a reconciliation sums the sets, trades, positions and settlements of a market': async (
    fixture,
  ) => {
    const huge = 9_007_199_254_740_991
    await fixture.commit(
      ...plainMarket,
      rows.sets({ serial: 40, shares: 1_000 }),
      rows.sets({ serial: 41, shares: 500, operatorNumber: participant }),
      rows.sets({ serial: 42, shares: 300, isRedeem: 1 }),
      rows.sets({ serial: 43, shares: 7, marketSerial: 5 }),
      rows.trade({ serial: 20, price: 5_000, shares: 100, buyerFee: huge, sellerFee: 2 }),
      rows.trade({
        serial: 21,
        price: 4_000,
        shares: 50,
        buyerNumber: participant,
        sellerNumber: owner,
      }),
      rows.trade({
        serial: 22,
        kind: 1,
        price: 6_000,
        shares: 10,
        sellerNumber: owner,
        sellerFee: 0,
      }),
      rows.trade({
        serial: 23,
        kind: 1,
        outcomeSerial: no,
        shares: 10,
        buyerNumber: participant,
        sellerFee: 0,
      }),
      rows.trade({
        serial: 24,
        kind: 2,
        price: 3_000,
        shares: 4,
        buyerFee: 0,
        sellerNumber: participant,
      }),
      rows.trade({ serial: 25, marketSerial: 5 }),
      rows.position({ serial: 30, shares: 900 }),
      rows.position({ serial: 31, shares: 300, operatorNumber: participant }),
      rows.position({ serial: 32, outcomeSerial: no, shares: huge, playerId: 'cy' }),
      rows.position({ serial: 33, outcomeSerial: no, shares: huge }),
      rows.position({ serial: 34, marketSerial: 5 }),
      rows.settlement({ shares: 12 }),
    )
    const found = await fixture.shard.reads.reconciliation(market)
    const operators = [...found.operators].sort((one, other) =>
      one.operatorId < other.operatorId ? -1 : 1,
    )
    assert.deepEqual(
      { ...found, operators },
      {
        setsMinted: 1_500n,
        setsRedeemed: 300n,
        outcomes: [
          { outcomeSerial: yes, shares: 1_200n, minted: 10n, merged: 4n },
          { outcomeSerial: no, shares: 2n * BigInt(huge), minted: 10n, merged: 0n },
        ],
        operators: [
          {
            operatorId: 'operator-1',
            setsMinted: 1_000n,
            setsRedeemed: 300n,
            bought: 500_000n + 60_000n,
            sold: 200_000n,
            fees: BigInt(huge) + 2_000n + 1_000n,
          },
          {
            operatorId: 'operator-2',
            setsMinted: 500n,
            setsRedeemed: 0n,
            bought: 200_000n + 50_000n,
            sold: 500_000n + 12_000n,
            fees: 2n + 1_000n + 1_000n + 2_000n,
          },
        ],
        payouts: 120_000n,
        isSettled: false,
      },
    )
  },

  'the sums of a market without records are 0; only a SETTLED market is settled': async (
    fixture,
  ) => {
    const none = { shares: 0n, minted: 0n, merged: 0n }
    await fixture.commit(...plainMarket)
    const { reconciliation } = fixture.shard.reads
    const expected = {
      setsMinted: 0n,
      setsRedeemed: 0n,
      outcomes: [
        { outcomeSerial: yes, ...none },
        { outcomeSerial: no, ...none },
      ],
      operators: [],
      payouts: 0n,
      isSettled: false,
    }
    assert.deepEqual(await reconciliation(market), expected)
    await fixture.commit(rows.market({ status: 5 }))
    assert.deepEqual(await reconciliation(market), expected)
    await fixture.commit(rows.market({ status: 6 }))
    assert.deepEqual(await reconciliation(market), { ...expected, isSettled: true })
  },
}
