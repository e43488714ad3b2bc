// Shared markets over HTTP: several operators trade in one market.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

type Table = { owner: OperatorClient; participant: OperatorClient; market: Json }

async function seated(): Promise<Table> {
  const owner = await OperatorClient.create(service, { feePercent: 1 })
  const participant = await OperatorClient.create(service, { feePercent: 3 })
  return { owner, participant, market: await owner.openMarket({ shared: true }) }
}

test('a participant mints and trades in a shared market, each side with its own fee', async () => {
  const { owner, participant, market } = await seated()
  assert.equal(market.shared, true)
  assert.deepEqual(await participant.market(market), market)
  const minted = await participant.mint(market, 'gus', 10)
  assert.equal(minted.positions[0].operatorId, participant.id)
  const { order: ask } = await participant.sell(market, { player: 'gus' })
  const { order: bid, trades } = await owner.buy(market, { player: 'oda', shares: 4 })
  const [trade] = trades
  assert.deepEqual([trade.buyOrderId, trade.sellOrderId], [bid.id, ask.id])
  assert.deepEqual([trade.buyerOperatorId, trade.sellerOperatorId], [owner.id, participant.id])
  assert.deepEqual([trade.buyerFee, trade.sellerFee], ['0.02', '0.06'])
  assert.deepEqual((await participant.get('/trades')).trades, trades)
  assert.deepEqual((await owner.get('/trades')).trades, trades)
  assert.equal((await participant.get(`/orders/${ask.id}`)).status, 'PARTIAL')
  assert.equal((await participant.cancel(ask)).filledShares, '4')
})

test('the settlement status covers all operators for the owner, else only its own', async () => {
  const { owner, participant, market } = await seated()
  const third = await OperatorClient.create(service)
  await owner.mint(market, 'oda', 1)
  await participant.mint(market, 'gus', 5)
  const countsOf = async (operator: OperatorClient) => {
    const status = await operator.get(`/markets/${market.id}/settlement-status`)
    const { totalPositions, pendingCount, completedCount, totalPayout, completedPayout } = status
    return [totalPositions, pendingCount, completedCount, totalPayout, completedPayout]
  }
  assert.deepEqual(await countsOf(owner), [4, 4, 0, '0', '0'])
  assert.deepEqual(await countsOf(participant), [2, 2, 0, '0', '0'])
  assert.deepEqual(await countsOf(third), [0, 0, 0, '0', '0'])
  await owner.finish(market)
  assert.deepEqual(await countsOf(owner), [4, 0, 4, '6', '6'])
  assert.deepEqual(await countsOf(participant), [2, 0, 2, '5', '5'])
  assert.deepEqual(await countsOf(third), [0, 0, 0, '0', '0'])
})

test('each operator sees only its own orders, positions and trades', async () => {
  const { owner, participant, market } = await seated()
  const third = await OperatorClient.create(service)
  for (const each of [owner, participant, third]) await each.mint(market, 'same-name', 10)
  const { order } = await participant.sell(market, { player: 'same-name' })
  await third.buy(market, { player: 'same-name', shares: 2 })
  assert.equal((await owner.get('/trades')).total, 0)
  assert.equal((await owner.get('/orders')).total, 0)
  assert.equal((await participant.get('/orders')).total, 1)
  assertRefused(await owner.request('GET', `/orders/${order.id}`), 'ORDER_NOT_FOUND')
  assertRefused(await owner.request('DELETE', `/orders/${order.id}`), 'ORDER_NOT_FOUND')
  const [own, theirs, third2] = await Promise.all(
    [owner, participant, third].map((each) => each.position(market, 'same-name')),
  )
  assert.deepEqual([own.shares, theirs.shares, third2.shares], ['10', '8', '12'])
  for (const each of [owner, participant, third]) {
    for (const position of await each.get('/positions')) assert.equal(position.operatorId, each.id)
  }
})

test("the response of a placement shows each of the caller's own trades once", async () => {
  const { owner, participant, market } = await seated()
  await owner.mint(market, 'oda', 10)
  await participant.mint(market, 'gus', 10)
  await owner.sell(market, { player: 'oda', shares: 3, price: 0.4 })
  await participant.sell(market, { player: 'gus', shares: 3, price: 0.41 })
  const { trades } = await participant.buy(market, { player: 'gil', shares: 6 })
  assert.equal(trades.length, 2)
  assert.equal((await participant.get('/trades')).total, 2)
  assert.equal((await owner.get('/trades')).total, 1)
})

test('only the owner may manage, resolve and settle a shared market', async () => {
  const { owner, participant, market } = await seated()
  await participant.mint(market, 'gus', 10)
  const reason = { reason: 'x' }
  const winner = { winningOutcomeId: market.outcomes[0].id, resolutionSource: 'x' }
  const asParticipant = async (action: string, body?: object) => {
    const answer = await participant.request('POST', `/markets/${market.id}/${action}`, body)
    assertRefused(answer, 'FORBIDDEN')
  }
  await asParticipant('suspend', reason)
  await asParticipant('close')
  await asParticipant('cancel', reason)
  await asParticipant('open')
  await asParticipant('resume')
  assertRefused(
    await participant.request('PATCH', `/markets/${market.id}`, { metadata: {} }),
    'FORBIDDEN',
  )
  await owner.act(market, 'close')
  await asParticipant('resolve', winner)
  await owner.resolve(market)
  await asParticipant('settle')
  await owner.act(market, 'settle')
  await asParticipant('retry-settlements')
})

test("settling counts all positions, and lists only the caller's settlements", async () => {
  const { owner, participant, market } = await seated()
  await owner.mint(market, 'oda', 5)
  await participant.mint(market, 'gus', 10)
  const result = await owner.finish(market)
  assert.deepEqual([result.totalPositions, result.totalPayout], [4, '15'])
  assert.equal(result.settlements.length, 2)
  for (const each of result.settlements) assert.equal(each.operatorId, owner.id)
  const theirs = await participant.get(`/settlements?marketId=${market.id}`)
  assert.deepEqual(
    theirs.map(({ playerId }: Json) => playerId),
    ['gus', 'gus'],
  )
  const acknowledged = { transactionId: 'p', status: 'FAILED' }
  const foreign = await owner.request(
    'POST',
    `/settlements/${theirs[0].id}/acknowledge`,
    acknowledged,
  )
  assertRefused(foreign, 'SETTLEMENT_NOT_FOUND')
  const own = await participant.post(`/settlements/${theirs[0].id}/acknowledge`, acknowledged)
  assert.equal(own.status, 'FAILED')
})

test('every operator with an order or position gets status and resolution events', async () => {
  const { owner, participant, market } = await seated()
  const onlooker = await OperatorClient.create(service)
  await participant.buy(market, { player: 'gus' })
  await owner.act(market, 'close')
  await owner.resolve(market)
  const eventTypesOf = async (operator: OperatorClient) =>
    (await operator.events(`&marketId=${market.id}`)).map(({ eventType }) => eventType)
  const theirs = (await eventTypesOf(participant)).filter((type) => type.startsWith('MARKET_'))
  const changes = ['MARKET_STATUS_CHANGED', 'MARKET_STATUS_CHANGED', 'MARKET_RESOLVED']
  assert.deepEqual(theirs, changes)
  assert.deepEqual(await eventTypesOf(onlooker), [])
  for (const operator of [owner, participant]) {
    const sequences = (await operator.events()).map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      Array.from(sequences, (_, at) => at + 1),
    )
  }
})

test('the list includes shared markets with shared=true, and never a DRAFT', async () => {
  const { owner, participant, market } = await seated()
  const draft = await owner.createMarket({ shared: true })
  const private_ = await owner.openMarket()
  const own = await participant.createMarket()
  const listed = async (query: string) => {
    const { markets } = await participant.get(`/markets?limit=1000${query}`)
    return new Set(markets.map(({ id }: Json) => id))
  }
  assert.deepEqual(await listed(''), new Set([own.id]))
  assert.deepEqual(await listed('&shared=false'), new Set([own.id]))
  const found = await listed('&shared=true')
  assert.ok(found.has(market.id) && found.has(own.id))
  assert.equal(found.has(draft.id) || found.has(private_.id), false)
  assertRefused(await participant.request('GET', `/markets/${draft.id}`), 'MARKET_NOT_FOUND')
  assertRefused(await participant.request('GET', `/markets/${private_.id}`), 'MARKET_NOT_FOUND')
})

test('a shared market is not visible to an operator without its currency', async () => {
  const { market } = await seated()
  const euro = await OperatorClient.create(service, { supportedCurrencies: ['EUR'] })
  assertRefused(await euro.request('GET', `/markets/${market.id}`), 'MARKET_NOT_FOUND')
  assertRefused(await euro.tryOrder(market, 'BUY'), 'MARKET_NOT_FOUND')
  const mint = { playerId: 'x', shares: 1 }
  const minted = await euro.request('POST', `/markets/${market.id}/mint`, mint)
  assertRefused(minted, 'MARKET_NOT_FOUND')
  assertRefused(await euro.request('POST', `/markets/${market.id}/close`), 'MARKET_NOT_FOUND')
  const { markets } = await euro.get('/markets?shared=true')
  assert.deepEqual(markets, [])
})

test('a market that is not shared is hidden from others, except for its public data', async () => {
  const { owner, participant } = await seated()
  const market = await owner.openMarket()
  assertRefused(await participant.tryOrder(market, 'BUY'), 'MARKET_NOT_FOUND')
  assertRefused(
    await participant.request('POST', `/markets/${market.id}/close`),
    'MARKET_NOT_FOUND',
  )
  assert.deepEqual((await participant.book(market)).bids, [])
})
