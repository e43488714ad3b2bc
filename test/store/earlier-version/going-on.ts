// What must be so of data of an earlier version once the service of today has opened it, and what
// must be possible with it. In this order: each goes on from the one before.

import assert from 'node:assert/strict'
import { assertRefused } from '../../support/http/answers.ts'
import type { OperatorClient } from '../../support/http/operator-client.ts'
import type { Json } from '../../support/process/outcry-process.ts'
import { type Receiver, until } from '../../support/webhooks/receiver.ts'
import { isSigned } from '../../support/webhooks/webhook-fixture.ts'
import { assertSameAnswer, knownPart } from './answers.ts'
import type { Expected } from './expected.ts'
import type { Opened } from './restored.ts'

export type Receivers = Readonly<Record<'harbour' | 'lagoon', Receiver>>

const webhookPath = '/webhooks'

/** At once: what could not be delivered to where it led is tried again after five seconds. */
export async function redirectWebhooks(
  { answers, named }: Expected,
  { callers, harbour, lagoon }: Opened,
  receivers: Receivers,
): Promise<void> {
  for (const each of answers) if (each.path === webhookPath) await assertSameAnswer(callers, each)
  await harbour.patch(`/webhooks/${named.hook.id}`, { url: receivers.harbour.url })
  await lagoon.patch(`/webhooks/${named.otherHook.id}`, { url: receivers.lagoon.url })
}

export async function isShown({ answers, named }: Expected, { callers, service }: Opened) {
  for (const each of answers) if (each.path !== webhookPath) await assertSameAnswer(callers, each)
  const { reader, expired, revoked, idle } = named.keys
  const statusOf = async (method: string, key: string) =>
    (await service.request(method, '/api/v1/markets', { key })).status
  assert.deepEqual([await statusOf('GET', reader), await statusOf('POST', reader)], [200, 403])
  for (const [key, status] of [
    [expired, 401],
    [revoked, 401],
    [idle, 403],
  ] as const) {
    assert.equal(await statusOf('GET', key), status)
  }
}

/** The end of both markets was asked for and begun; nobody asks again. */
export async function isFinished({ named, leftAt }: Expected, { marsh }: Opened): Promise<void> {
  const { manyPositions, manyOrders, crowd } = named
  const ofOrders = (status: string) => marsh.get(`/orders?marketId=${manyOrders.id}&${status}`)
  await until(async () => (await marsh.market(manyPositions)).status === 'SETTLED')
  await until(async () => (await ofOrders('status=PENDING')).total === 0)
  assert.equal((await ofOrders('status=CANCELLED')).total, crowd.orders)
  assert.equal((await marsh.market(manyOrders)).status, 'CANCELLED')
  const settlements: Json[] = await marsh.get('/settlements')
  const paid = settlements.reduce((sum, { totalPayout }) => sum + Number(totalPayout), 0)
  const positions = new Set(settlements.map(({ positionId }) => positionId))
  assert.deepEqual([settlements.length, positions.size], [crowd.positions, crowd.positions])
  assert.equal(paid, crowd.payout)

  const events = await marsh.events()
  for (const [type, count, idOf] of [
    ['SETTLEMENT_COMPLETED', crowd.positions, ({ payload }: Json) => payload.settlementId],
    ['ORDER_CANCELLED', crowd.orders, ({ payload }: Json) => payload.orderId],
  ] as const) {
    const answers = events.filter(({ eventType }) => eventType === type)
    assert.deepEqual([answers.length, new Set(answers.map(idOf)).size], [count, count], type)
    const early = answers.filter(({ createdAt }) => Date.parse(createdAt) < leftAt + 60_000)
    assert.ok(early.length > 0 && early.length < count, `${type}: ${early.length} of before`)
  }
}

export async function areReplayed({ replays }: Expected, { harbour }: Opened): Promise<void> {
  const { total } = await harbour.get('/orders?limit=1')
  for (const { path, body, status, answer } of replays) {
    const again = await harbour.request('POST', path, body)
    const about = `${path} ${body.transactionId}`
    const shown = { status: again.status, answer: knownPart(again.body, answer) }
    assert.deepEqual(shown, { status, answer }, about)
    assert.equal(again.headers.get('idempotent-replayed'), 'true', about)
    const other = await harbour.request('POST', path, { ...body, shares: body.shares + 1 })
    assertRefused(other, 'ORDER_DUPLICATE_TRANSACTION')
  }
  assert.equal((await harbour.get('/orders?limit=1')).total, total)
}

/** Asks wait at 0.55, and at 0.6 one that was amended behind those that came after it. */
export async function tradeOn({ named }: Expected, { harbour }: Opened): Promise<void> {
  const { rain, partial, first, second, amended, lasting, postOnly, batched, cup } = named
  const bought = await harbour.buy(rain, { player: 'new', price: 0.6, shares: 19 })
  assert.deepEqual(
    bought.trades.map(({ sellOrderId, shares, price }: Json) => [sellOrderId, shares, price]),
    [
      [partial.id, '3', '0.55'],
      [first.id, '10', '0.6'],
      [second.id, '5', '0.6'],
      [amended.id, '1', '0.6'],
    ],
  )
  const { buyerFee, sellerFee } = bought.trades[0]
  assert.deepEqual([buyerFee, sellerFee], ['0.02475', '0.02475'], 'at 1.5 %')
  const cancelled = await harbour.cancel(amended)
  assert.deepEqual([cancelled.status, cancelled.filledShares], ['CANCELLED', '1'])
  assertRefused(await harbour.request('DELETE', `/orders/${amended.id}`), 'ORDER_CANNOT_CANCEL')

  const smaller = await harbour.patch(`/orders/${lasting.id}`, { shares: 8 })
  assert.deepEqual([smaller.order.shares, smaller.order.expiresAt], ['8', lasting.expiresAt])
  await harbour.sell(rain, { player: 'new', price: 0.9, shares: 2 })
  const refused = await harbour.request('PATCH', `/orders/${postOnly.id}`, { price: 0.9 })
  assertRefused(refused, 'ORDER_WOULD_MATCH')
  assert.equal((await harbour.cancel(batched)).status, 'CANCELLED')

  const minted = await harbour.buy(cup, { player: 'new', outcome: 2, price: 0.25, shares: 5 })
  assert.deepEqual(
    minted.trades.map(({ kind, price, shares }: Json) => [kind, price, shares]),
    [
      ['MINT', '0.2', '5'],
      ['MINT', '0.5', '5'],
    ],
  )
}

/** Of 100 minted Yes sam redeemed 20, and sold 6 of them just now; nothing is offered any more. */
export async function holdOn({ named: { rain, cup } }: Expected, { harbour, lagoon }: Opened) {
  const { shares, reservedShares } = await harbour.position(rain, 'sam')
  assert.deepEqual([shares, reservedShares], ['74', '0'])
  const tooMany = { player: 'sam', price: 0.95, shares: 74.01 }
  assertRefused(await harbour.tryOrder(rain, 'SELL', tooMany), 'POSITION_INSUFFICIENT_SHARES')
  await harbour.sell(rain, { ...tooMany, shares: 74 })
  const sets = { playerId: 'tom', shares: 30 }
  assert.equal((await harbour.post(`/markets/${rain.id}/redeem`, sets)).amount, '30')
  const { balanced } = await harbour.get(`/markets/${rain.id}/reconciliation`)
  assert.equal(balanced, true)
  // She offers two of her four, and five came of the set that was just minted.
  const held = await lagoon.position(cup, 'lea', 1)
  assert.deepEqual([held.shares, held.reservedShares], ['9', '2'])
}

export async function liveOn({ named }: Expected, { harbour }: Opened): Promise<void> {
  const { draft, suspended, closed, resolved, settled, selfOpened, upcoming } = named
  assert.equal((await harbour.act(draft, 'open')).status, 'OPEN')
  assert.equal((await harbour.act(suspended, 'resume')).status, 'OPEN')
  const { trades } = await harbour.sell(suspended, { player: 'sam', shares: 1, price: 0.0125 })
  assert.equal(trades.length, 1)
  assert.equal((await harbour.resolve(closed)).status, 'RESOLVED')
  await settlesOnce(harbour, closed)
  await settlesOnce(harbour, resolved)
  const [failed] = await harbour.get(`/settlements?marketId=${settled.id}`).then(withFailure)
  await harbour.act(settled, 'retry-settlements')
  const [retried] = await harbour.get(`/settlements?marketId=${settled.id}`).then(withFailure)
  assert.deepEqual([failed?.transactionId, retried], ['paid-2', undefined])
  assert.equal((await harbour.market(selfOpened)).status, 'OPEN')
  assert.equal((await harbour.market(upcoming)).status, 'UPCOMING')
}

function withFailure(settlements: readonly Json[]): Json[] {
  return settlements.filter(({ status }) => status === 'FAILED')
}

/** Sam has 14 of Yes and 20 of No, bob 6 of Yes; two orders wait. */
async function settlesOnce(house: OperatorClient, market: Json): Promise<void> {
  const result = await house.act(market, 'settle')
  const { totalPositions, cancelledOrders, totalPayout, settlements } = result
  assert.deepEqual([totalPositions, cancelledOrders, totalPayout], [3, 2, '20'])
  const again = await house.request('POST', `/markets/${market.id}/settle`)
  assertRefused(again, 'SETTLEMENT_ALREADY_COMPLETED')
  const paid = { transactionId: `paid-${market.id}`, status: 'COMPLETED' }
  const { transactionId } = await house.post(`/settlements/${settlements[0].id}/acknowledge`, paid)
  assert.equal(transactionId, paid.transactionId)
}

export async function deliverOn(
  { named, delivered }: Expected,
  { harbour, lagoon }: Opened,
  receivers: Receivers,
): Promise<void> {
  for (const [by, client, hook] of [
    ['harbour', harbour, named.hook],
    ['lagoon', lagoon, named.otherHook],
  ] as const) {
    const { received } = receivers[by]
    const due = (await client.events('', delivered[by])).map(({ sequence }) => sequence)
    await until(() => received.length >= due.length)
    const inOrder = receivers[by].sequences.toSorted((one, other) => one - other)
    assert.deepEqual(inOrder, due)
    const [{ body, headers } = assert.fail()] = received
    assert.ok(isSigned(body, String(headers['x-webhook-signature']), hook.secret))
  }
}

export async function continueEvents({ answers }: Expected, { harbour, lagoon, marsh }: Opened) {
  for (const client of [harbour, lagoon, marsh]) {
    const events = await client.events()
    const gap = events.findIndex(({ sequence }, at) => sequence !== at + 1)
    assert.equal(gap, -1)
  }
  for (const [by, client] of [
    ['harbour', harbour],
    ['lagoon', lagoon],
  ] as const) {
    const before = storedEvents(answers, by)
    const events = await client.events()
    assert.deepEqual(knownPart(events.slice(0, before.length), before), before)
    assert.ok(events.length > before.length)
  }
}

function storedEvents(answers: Expected['answers'], by: string): Json[] {
  const pages = answers.filter((each) => each.by === by && each.path.startsWith('/events?since='))
  return pages.flatMap(({ body }) => body.data.events)
}

/** Events are let go of, and keys of markets that have ended; all else is kept. */
export async function yearLater(expected: Expected, { harbour, callers }: Opened): Promise<void> {
  const { named, replays, answers } = expected
  const { ending, lasting, upcoming, tide, settled, rain } = named
  await until(async () => (await harbour.market(upcoming)).status === 'OPEN')
  await until(async () => (await harbour.get(`/orders/${ending.id}`)).status === 'EXPIRED')
  assert.equal((await harbour.get(`/orders/${lasting.id}`)).status, 'PENDING')
  const page = await harbour.get('/events?limit=1000')
  const { sequence, payload } = page.events[0]
  assert.equal(sequence, page.earliestSequence)
  assert.ok(sequence > storedEvents(answers, 'harbour').length, 'those of before are over')
  assert.ok([upcoming.id, ending.id].includes(payload.orderId ?? payload.marketId))

  const ofTide = answers.filter(({ path }) => path.includes(tide.id) && !/events|prices/.test(path))
  for (const each of ofTide) await assertSameAnswer(callers, each)
  for (const { path, body } of replays) {
    const isOver = body.marketId === settled.id
    const { status, headers } = await harbour.request('POST', path, body)
    const isReplay = headers.get('idempotent-replayed') === 'true'
    assert.deepEqual([isReplay, status === 201], [!isOver, false], body.transactionId)
  }
  const { trades } = await harbour.sell(rain, { player: 'new', price: 0.5, shares: 3 })
  assert.equal(trades[0].buyOrderId, lasting.id)
}
