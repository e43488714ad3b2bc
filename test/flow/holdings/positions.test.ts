// Positions, and the complete sets that shares come from, over HTTP.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { positionShape, setsShape, valuedPositionShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

describe('positions', () => {
  test('average on a purchase, realize profit on a sale, and stay when empty', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ sam: 100 })
    assert.deepEqual(await operator.get('/positions?playerId=bob'), [])
    await operator.sell(market, { player: 'sam', price: 0.4 })
    await operator.sell(market, { player: 'sam', price: 0.6 })
    await operator.buy(market, { player: 'bob', price: 0.6, shares: 20 })
    const held = await operator.position(market, 'bob')
    assertShape(held, valuedPositionShape)
    assert.deepEqual([held.shares, held.avgPrice, held.totalCost], ['20', '0.5', '10'])
    assert.deepEqual([held.realizedPnl, held.reservedShares], ['0', '0'])
    assert.deepEqual([held.operatorId, held.playerId], [operator.id, 'bob'])

    await operator.buy(market, { player: 'cat', price: 0.7, shares: 20 })
    await operator.sell(market, { player: 'bob', price: 0.7, shares: 5 })
    const part = await operator.position(market, 'bob')
    assert.deepEqual([part.shares, part.avgPrice, part.totalCost], ['15', '0.5', '7.5'])
    assert.equal(part.realizedPnl, '1')
    await operator.sell(market, { player: 'bob', price: 0.7, shares: 15 })
    const none = await operator.position(market, 'bob')
    assert.deepEqual([none.shares, none.avgPrice, none.totalCost], ['0', '0', '0'])
    assert.deepEqual([none.realizedPnl, none.id], ['4', held.id])
    assert.equal(none.createdAt, held.createdAt)
  })

  test('are valued at cost, at the last trade and at the payout, and add up', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ sam: 100 })
    const money = ({ mark, markPrice, value, unrealizedPnl, totalPnl, payoutIfWins }: Json) => [
      ...[mark, markPrice, value, unrealizedPnl, totalPnl, payoutIfWins],
    ]
    const valued = async (player: string, outcome = 0) =>
      money(await operator.position(market, player, outcome))
    const sums = async (player: string) => {
      const { currencies } = await operator.get(`/players/${player}/valuation`)
      return currencies.map((each: Json) => [
        ...[each.currency, each.positions, each.totalCost, each.value],
        ...[each.unrealizedPnl, each.realizedPnl, each.totalPnl],
      ])
    }
    assert.deepEqual(await valued('sam'), ['COST', null, '50', '0', '0', '100'])
    await operator.sell(market, { player: 'sam', price: 0.6, shares: 20 })
    await operator.buy(market, { player: 'bob', price: 0.6, shares: 20 })
    // 80 left for 40; 20 were sold for 2 more than they had cost.
    assert.deepEqual(await valued('sam'), ['LAST', '0.6', '48', '8', '10', '80'])
    assert.deepEqual(await sums('sam'), [['USD', 2, '90', '98', '8', '2', '10']])
    assert.deepEqual(await valued('bob'), ['LAST', '0.6', '12', '0', '0', '20'])
    await operator.act(market, 'close')
    const [yes, no] = market.outcomes
    const payouts = [
      { outcomeId: yes.id, payoutPerShare: 0.25 },
      { outcomeId: no.id, payoutPerShare: 0.75 },
    ]
    await operator.act(market, 'resolve', { payouts, resolutionSource: 'the news' })
    assert.deepEqual(await valued('bob'), ['PAYOUT', '0.25', '5', '-7', '-7', '20'])
    await operator.act(market, 'settle')
    assert.deepEqual(await valued('sam', 1), ['PAYOUT', '0.75', '75', '25', '25', '100'])
    assert.deepEqual(await sums('sam'), [['USD', 2, '90', '95', '5', '2', '7']])
    const cancelled = await operator.marketWithHolders({ eve: 5 })
    await operator.act(cancelled, 'cancel', { reason: 'a mistake' })
    assert.deepEqual(money(await operator.position(cancelled, 'eve')).slice(0, 3), [
      'COST',
      null,
      '2.5',
    ])
    assert.deepEqual(await sums('nobody'), [])
    const odd = encodeURIComponent('a/b%?#é')
    assert.equal((await operator.get(`/players/${odd}/valuation`)).playerId, 'a/b%?#é')
  })

  test('reserve the shares of open SELL orders, which cannot be offered twice', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ ann: 10 })
    const { order } = await operator.sell(market, { shares: 7 })
    const held = await operator.position(market, 'ann')
    assert.deepEqual([held.shares, held.reservedShares], ['10', '7'])
    const more = await operator.tryOrder(market, 'SELL', { shares: 3.01 })
    assertRefused(more, 'POSITION_INSUFFICIENT_SHARES')
    assert.equal((await operator.tryOrder(market, 'SELL', { outcome: 1 })).status, 201)
    await operator.cancel(order)
    assert.equal((await operator.tryOrder(market, 'SELL', { shares: 10 })).status, 201)
  })

  test('are filtered by market and player, as an array or in pages', async () => {
    const operator = await OperatorClient.create(service)
    const [one, two] = [await operator.openMarket(), await operator.openMarket()]
    for (const player of ['a', 'b', 'c']) await operator.mint(one, player, 1)
    await operator.mint(two, 'a', 1)
    assert.equal((await operator.get('/positions')).length, 8)
    assert.equal((await operator.get(`/positions?marketId=${one.id}`)).length, 6)
    assert.equal((await operator.get('/positions?playerId=a')).length, 4)
    assert.equal((await operator.get(`/positions?playerId=a&marketId=${two.id}`)).length, 2)
    assert.deepEqual(await operator.get(`/positions?marketId=${crypto.randomUUID()}`), [])
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await operator.get(`/positions?limit=3${cursor}`)
      assert.equal(page.total, 8)
      seen.push(...page.positions.map(({ id }: Json) => id))
      if (!page.hasMore) break
      cursor = `&cursor=${page.nextCursor}`
    }
    const whole = await operator.get('/positions')
    assert.deepEqual(seen.toSorted(), whole.map(({ id }: Json) => id).sort())
    for (const query of ['marketId=x', 'limit=0', 'limit=1001', 'cursor=x', 'playerId=']) {
      const field = query.split('=')[0]!
      assertRefused(await operator.request('GET', `/positions?${query}`), 'VALIDATION_ERROR', field)
    }
  })
})

describe('complete sets', () => {
  test('are minted: one share of every outcome for 1', async () => {
    const operator = await OperatorClient.create(service)
    const outcomes = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
    const market = await operator.openMarket({ outcomes })
    const body = { playerId: 'ann', shares: 10, transactionId: 'm-1' }
    const answer = await operator.request('POST', `/markets/${market.id}/mint`, body)
    assert.equal(answer.status, 201)
    const made = answer.body.data
    assertShape(made, setsShape)
    const { marketId, playerId, kind, shares, amount, transactionId } = made
    assert.deepEqual([marketId, playerId, kind], [market.id, 'ann', 'MINT'])
    assert.deepEqual([shares, amount, transactionId], ['10', '10', 'm-1'])
    for (const position of made.positions) assertShape(position, positionShape)
    assert.deepEqual(
      made.positions.map(({ totalCost }: Json) => totalCost),
      ['3.333333', '3.333333', '3.333334'],
    )
    assert.deepEqual(
      made.positions.map(({ outcomeId }: Json) => outcomeId),
      market.outcomes.map(({ id }: Json) => id),
    )
    const listed = await operator.get('/positions?playerId=ann')
    const plain = listed.map((each: Json) =>
      Object.fromEntries(Object.keys(positionShape).map((name) => [name, each[name]])),
    )
    assert.deepEqual(plain, made.positions.toReversed(), 'newest first')
    assert.equal((await operator.market(market)).totalVolume, '0')
  })

  test('are redeemed with available shares of every outcome', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ ann: 10 })
    await operator.sell(market, { shares: 4 })
    const path = `/markets/${market.id}/redeem`
    const tooMany = await operator.request('POST', path, { playerId: 'ann', shares: 6.01 })
    assertRefused(tooMany, 'POSITION_INSUFFICIENT_SHARES')
    const answer = await operator.request('POST', path, { playerId: 'ann', shares: 6 })
    assert.equal(answer.status, 200)
    const { kind, shares, amount, positions, transactionId } = answer.body.data
    assert.deepEqual([kind, shares, amount, transactionId], ['REDEEM', '6', '6', null])
    for (const position of positions) {
      assert.deepEqual([position.shares, position.totalCost], ['4', '2'])
      assert.equal(position.realizedPnl, '0')
    }
    const refused = await operator.request('POST', path, { playerId: 'zoe', shares: 1 })
    assertRefused(refused, 'POSITION_INSUFFICIENT_SHARES')
  })

  test('need shares within the bounds of an order, an OPEN market, and valid fields', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const draft = await operator.createMarket()
    for (const action of ['mint', 'redeem']) {
      const path = `/markets/${market.id}/${action}`
      for (const shares of [0, 0.99, 100_000.01, 1.005, -5]) {
        const answer = await operator.request('POST', path, { playerId: 'ann', shares })
        assertRefused(answer, 'ORDER_INVALID_SHARES', '0.01')
      }
      for (const [field, body] of [
        ['playerId', { shares: 1 }],
        ['playerId', { playerId: '', shares: 1 }],
        ['shares', { playerId: 'ann' }],
        ['shares', { playerId: 'ann', shares: '1' }],
        ['price', { playerId: 'ann', shares: 1, price: 1 }],
        ['transactionId', { playerId: 'ann', shares: 1, transactionId: 1 }],
      ] as const) {
        assertRefused(await operator.request('POST', path, body), 'VALIDATION_ERROR', field)
      }
      const body = { playerId: 'ann', shares: 1 }
      const inDraft = await operator.request('POST', `/markets/${draft.id}/${action}`, body)
      assertRefused(inDraft, 'MARKET_NOT_OPEN')
      for (const id of [crypto.randomUUID(), 'x']) {
        const answer = await operator.request('POST', `/markets/${id}/${action}`, body)
        assertRefused(answer, 'MARKET_NOT_FOUND')
      }
    }
  })
})
