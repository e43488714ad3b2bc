// The life of a market: every action tried in every state, and the times at which things open.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startMs, TestExchange, type Turn } from '../../../test/support/core/exchange.ts'
import { serial } from '../../../test/support/core/steps.ts'
import { type MarketStatus, marketStatuses } from '../words.ts'

const hourMs = 3_600_000

/** A market of two outcomes, led into that state with ann's shares and an order on the way. */
function exchangeIn(status: MarketStatus): TestExchange {
  const exchange = new TestExchange()
  const isUpcoming = status === 'UPCOMING'
  exchange.createMarket({ tradingStartsAt: isUpcoming ? startMs + hourMs : null })
  if (status !== 'DRAFT') exchange.manage('open')
  if (exchange.status() === 'OPEN') {
    exchange.mint('ann', 100)
    exchange.buy('bob', 10, 0.5)
  }
  if (status === 'SUSPENDED') exchange.manage('suspend')
  if (['CLOSED', 'RESOLVED', 'SETTLED'].includes(status)) exchange.manage('close')
  if (['RESOLVED', 'SETTLED'].includes(status)) exchange.manage('resolve')
  if (status === 'SETTLED') settleNow(exchange)
  if (status === 'CANCELLED') exchange.manage('cancel')
  assert.equal(exchange.status(), status)
  return exchange
}

function settleNow(exchange: TestExchange): Turn {
  const turn = exchange.settle()
  if (turn.code === null) for (const _ of [1, 2, 3]) exchange.continueJob()
  return turn
}

const actions: Readonly<Record<string, (exchange: TestExchange) => Turn>> = {
  open: (exchange) => exchange.manage('open'),
  suspend: (exchange) => exchange.manage('suspend'),
  resume: (exchange) => exchange.manage('resume'),
  close: (exchange) => exchange.manage('close'),
  resolve: (exchange) => exchange.manage('resolve'),
  cancel: (exchange) => exchange.manage('cancel'),
  settle: (exchange) => settleNow(exchange),
  retry: (exchange) => exchange.retrySettlements(),
  editTitle: (exchange) => exchange.editMarket({ title: 'Will it snow?' }),
  editImageUrl: (exchange) => exchange.editMarket({ imageUrl: 'https://example.com/a.png' }),
  changeWindow: (exchange) => exchange.changeTradingWindow(startMs + hourMs + 1),
  place: (exchange) => exchange.sell('ann', 10, 0.6),
  cancelOrder: (exchange) => {
    const { orderId } = exchange.events.map(({ payload }) => payload).find((p) => 'orderId' in p)!
    return exchange.cancel(orderId)
  },
  mint: (exchange) => exchange.mint('ann', 10),
  redeem: (exchange) => exchange.redeem('ann', 10),
}

// What each word of the table means. A status means that the market changes to it.
const meanings: Readonly<Record<string, string>> = {
  ok: 'accepted',
  invalid: 'MARKET_INVALID_TRANSITION',
  done: 'SETTLEMENT_ALREADY_COMPLETED',
  fixed: 'MARKET_NOT_EDITABLE',
  shut: 'MARKET_NOT_OPEN',
  gone: 'ORDER_NOT_FOUND',
}

// A dash means that there cannot be an order to cancel. A CANCELLED market has its orders until
// they are swept.
const table = `
  from          DRAFT      UPCOMING   OPEN       SUSPENDED  CLOSED     RESOLVED  SETTLED  CANCELLED
  open          OPEN       invalid    invalid    invalid    invalid    invalid   invalid  invalid
  suspend       invalid    invalid    SUSPENDED  invalid    invalid    invalid   invalid  invalid
  resume        invalid    invalid    invalid    OPEN       invalid    invalid   invalid  invalid
  close         invalid    invalid    CLOSED     CLOSED     invalid    invalid   invalid  invalid
  resolve       invalid    invalid    invalid    invalid    RESOLVED   invalid   invalid  invalid
  cancel        CANCELLED  CANCELLED  CANCELLED  CANCELLED  CANCELLED  invalid   invalid  invalid
  settle        invalid    invalid    invalid    invalid    invalid    SETTLED   done     invalid
  retry         invalid    invalid    invalid    invalid    invalid    invalid   ok       invalid
  editTitle     ok         ok         fixed      fixed      fixed      fixed     fixed    fixed
  editImageUrl  ok         ok         ok         ok         ok         ok        ok       ok
  changeWindow  fixed      fixed      ok         ok         fixed      fixed      fixed    fixed
  place         shut       shut       ok         shut       shut       shut      shut     shut
  cancelOrder   -          -          ok         ok         ok         ok        gone     ok
  mint          shut       shut       ok         shut       shut       shut      shut     shut
  redeem        shut       shut       ok         shut       shut       shut      shut     shut
`
const [[, ...states], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/)) as [string[], ...string[][]]

describe('in each of the eight states', () => {
  for (const [action = '', ...expected] of rows) {
    test(`${action} does what the table has`, () => {
      const happened = marketStatuses.map((status, at) =>
        expected[at] === '-' ? '-' : outcomeOf(action, status),
      )
      assert.deepEqual(happened, expected.map(meaningOf))
    })
  }

  test('the table has a line for every action and a column for every state', () => {
    assert.deepEqual(
      rows.map(([action]) => action),
      Object.keys(actions),
    )
    assert.deepEqual(states, marketStatuses)
  })
})

function meaningOf(word: string): string {
  return meanings[word] ?? word
}

function outcomeOf(action: string, from: MarketStatus): string {
  const exchange = exchangeIn(from)
  const { hash } = exchange
  const { code } = actions[action]!(exchange)
  if (code !== null) {
    assert.equal(exchange.hash, hash, 'a rejection changes nothing')
    return code
  }
  return exchange.status() === from ? 'accepted' : exchange.status()
}

describe('trading starts', () => {
  test('when a market is opened at or after its start', () => {
    for (const tradingStartsAt of [startMs - 1, startMs]) {
      const exchange = new TestExchange()
      exchange.createMarket({ tradingStartsAt })
      exchange.manage('open')
      assert.equal(exchange.status(), 'OPEN')
    }
  })

  test('later when it is opened a millisecond before its start', () => {
    const exchange = new TestExchange()
    exchange.createMarket({ tradingStartsAt: startMs + 1 })
    exchange.manage('open')
    assert.equal(exchange.status(), 'UPCOMING')
  })

  test('at the exact millisecond, with an event for the owner', () => {
    const exchange = exchangeIn('UPCOMING')
    assert.deepEqual(exchange.wait(hourMs - 1).events, [])
    assert.equal(exchange.buy('bob', 10, 0.5).code, 'MARKET_NOT_OPEN')
    const { events } = exchange.wait(1)
    assert.deepEqual(
      events.map(({ payload }) => payload),
      [
        {
          marketId: exchange.market().id,
          operatorId: 'house',
          previousStatus: 'UPCOMING',
          status: 'OPEN',
          reason: null,
          timestamp: startMs + hourMs,
        },
      ],
    )
    assert.equal(exchange.buy('bob', 10, 0.5).code, null)
  })

  test('at the new time when an UPCOMING market is edited', () => {
    const exchange = exchangeIn('UPCOMING')
    exchange.editMarket({ tradingStartsAt: startMs + 2 * hourMs })
    exchange.wait(2 * hourMs - 1)
    assert.equal(exchange.status(), 'UPCOMING')
    exchange.wait(1)
    assert.equal(exchange.status(), 'OPEN')
  })

  test('on request once the time has come', () => {
    const exchange = exchangeIn('UPCOMING')
    assert.equal(exchange.manage('open').code, 'MARKET_INVALID_TRANSITION')
    exchange.editMarket({ tradingStartsAt: startMs })
    assert.equal(exchange.manage('open').code, null)
    assert.equal(exchange.status(), 'OPEN')
  })

  test('never where an UPCOMING market was cancelled', () => {
    const exchange = exchangeIn('UPCOMING')
    exchange.manage('cancel')
    assert.deepEqual(exchange.wait(hourMs).events, [])
    assert.equal(exchange.status(), 'CANCELLED')
  })
})

describe('trading ends at tradingEndsAt', () => {
  const tradingEndsAt = startMs + 1_000
  const tries: Readonly<Record<string, (exchange: TestExchange) => Turn>> = {
    placing: (exchange) => exchange.buy('bob', 10, 0.5),
    minting: (exchange) => exchange.mint('ann', 10),
    redeeming: (exchange) => exchange.redeem('ann', 10),
  }

  for (const [name, attempt] of Object.entries(tries)) {
    test(`for ${name}, to the millisecond, and the market stays OPEN`, () => {
      const exchange = new TestExchange()
      exchange.createMarket({ tradingEndsAt })
      exchange.manage('open')
      exchange.mint('ann', 100)
      exchange.wait(999)
      assert.equal(attempt(exchange).code, null)
      exchange.wait(1)
      assert.deepEqual(attempt(exchange).reject, { code: 'MARKET_NOT_OPEN', status: 'OPEN' })
      assert.equal(exchange.status(), 'OPEN')
    })
  }
})

test('a resolution keeps who won and the time; its event has the source and the notes', () => {
  const exchange = exchangeIn('CLOSED')
  exchange.wait(5)
  const { events } = exchange.manage('resolve', { winner: 1 })
  assert.deepEqual(exchange.market().resolution, {
    payouts: [0, 10_000],
    winner: 1,
    resolvedAt: startMs + 5,
  })
  const resolved = events.find(({ eventType }) => eventType === 'MARKET_RESOLVED')
  assert.partialDeepStrictEqual(resolved?.payload, {
    resolutionSource: 'The press',
    resolutionNotes: 'At noon',
  })
})

test('a winner that is not an outcome of the market is rejected, its last outcome is not', () => {
  const exchange = exchangeIn('CLOSED')
  const { reject } = exchange.manage('resolve', { winner: 2 })
  assert.partialDeepStrictEqual(reject, { code: 'VALIDATION_ERROR', field: 'winningOutcomeId' })
  assert.equal(exchange.manage('resolve', { winner: 1 }).code, null)
})

test('an action on a market that does not exist is MARKET_NOT_FOUND', () => {
  const exchange = exchangeIn('OPEN')
  const market = serial(exchange.marketSerial + 100)
  for (const { code } of [
    exchange.manage('suspend', { market }),
    exchange.editMarket({ imageUrl: null }, { market }),
    exchange.settle({ market }),
    exchange.retrySettlements(1, { market }),
    exchange.mint('ann', 1, { market }),
  ]) {
    assert.equal(code, 'MARKET_NOT_FOUND')
  }
})
