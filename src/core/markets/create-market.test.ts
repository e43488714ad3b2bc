// What a new market is like, which ones are rejected, and what may be edited when.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type MarketOptions,
  newExchange,
  startMs,
  TestExchange,
} from '../../../test/support/core/exchange.ts'
import { linearFees } from '../fee.ts'
import type { FeeRate } from '../money.ts'
import type { MarketText } from '../state/market.ts'
import type { MarketChanges } from './create-market.ts'

describe('a new market', () => {
  test('is a DRAFT that was never traded', () => {
    const exchange = new TestExchange()
    exchange.createMarket()
    const { status, volume, tradeCount, resolution } = exchange.save().markets[0]!
    assert.deepEqual([status, volume, tradeCount, resolution], ['DRAFT', 0n, 0, null])
  })

  test('has the outcomes Yes and No by default', () => {
    const exchange = new TestExchange()
    exchange.createMarket()
    assert.deepEqual(namesOf(exchange), ['Yes', 'No'])
  })

  test('numbers its outcomes from 0 in the order given', () => {
    const exchange = new TestExchange()
    exchange.createMarket({ outcomes: ['Rain', 'Sun', 'Snow'] })
    assert.deepEqual(namesOf(exchange), ['Rain', 'Sun', 'Snow'])
    assert.deepEqual(
      exchange.market().books.map(({ index }) => index),
      [0, 1, 2],
    )
  })

  test('keeps all that it was made with', () => {
    const exchange = new TestExchange()
    exchange.wait(7)
    const made = {
      title: 'Will it snow?',
      description: 'In the valley.',
      imageUrl: 'https://example.com/snow.png',
      categoryId: 'weather',
      metadata: '{"a":1}',
      tradingStartsAt: startMs + 10,
      tradingEndsAt: startMs + 20,
      currency: 'USD',
      isShared: true,
      hasCompleteSetMatching: true,
    }
    exchange.createMarket(made)
    const times = { createdAt: startMs + 7, updatedAt: startMs + 7, ownerId: 'house' }
    assert.partialDeepStrictEqual(exchange.save().markets[0]!, { ...inMemory(made), ...times })
  })
})

function namesOf(exchange: TestExchange): string[] {
  return exchange.market().books.map(({ name }) => name)
}

function outcomes(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `Outcome ${at}`)
}

type Rejection = { field: string; rejected: MarketOptions; accepted: MarketOptions }

/** What is rejected, and what just misses it. */
const rejections: Readonly<Record<string, Rejection>> = {
  'a currency that the operator does not support': {
    field: 'currency',
    rejected: { currency: 'usd' },
    accepted: { currency: 'USD' },
  },
  'a single outcome': {
    field: 'outcomes',
    rejected: { outcomes: outcomes(1) },
    accepted: { outcomes: outcomes(2) },
  },
  '257 outcomes': {
    field: 'outcomes',
    rejected: { outcomes: outcomes(257) },
    accepted: { outcomes: outcomes(256) },
  },
  'two outcomes of one name': {
    field: 'outcomes',
    rejected: { outcomes: ['Rain', 'Sun', 'Rain'] },
    accepted: { outcomes: ['Rain', 'Sun', 'rain'] },
  },
  'trading that ends as it starts': {
    field: 'tradingStartsAt',
    rejected: { tradingStartsAt: startMs, tradingEndsAt: startMs },
    accepted: { tradingStartsAt: startMs, tradingEndsAt: startMs + 1 },
  },
}

describe('a market is rejected for', () => {
  for (const [name, { field, rejected, accepted }] of Object.entries(rejections)) {
    test(`${name}, and not for one step less`, () => {
      const exchange = new TestExchange()
      const { hash } = exchange
      const { reject } = exchange.createMarket(rejected)
      assert.partialDeepStrictEqual(reject, { code: 'VALIDATION_ERROR', field })
      assert.equal(exchange.hash, hash, 'a rejection changes nothing')
      assert.equal(exchange.createMarket(accepted).code, null)
    })
  }

  test('a currency with a message that names it and those supported', () => {
    const exchange = new TestExchange()
    exchange.putOperator('house', null, ['EUR', 'CHF'])
    const { reject } = exchange.createMarket({ currency: 'USD' })
    assert.match(JSON.stringify(reject), /USD .*EUR, CHF/)
  })
})

const texts: Required<Omit<MarketChanges, 'hasPublicPage'>> = {
  title: 'Will it snow?',
  description: 'In the valley.',
  tradingStartsAt: startMs - 5,
  tradingEndsAt: startMs + 5,
  imageUrl: 'https://example.com/snow.png',
  categoryId: 'weather',
  metadata: '{"a":1}',
  feeSchedule: linearFees(7 as FeeRate),
  priceBand: { maxMove: 500, suspendOnBand: true },
}
const fixedOnceOpen = [
  'title',
  'description',
  'tradingStartsAt',
  'tradingEndsAt',
  'feeSchedule',
] as const
const alwaysFree = ['imageUrl', 'categoryId', 'metadata'] as const

/** What is in memory of those texts. */
function inMemory({ description, imageUrl, metadata, ...terms }: Partial<MarketText>) {
  const length = (text: string | null = null) => Buffer.byteLength(text ?? '')
  const storedBytes = {
    description: length(description),
    imageUrl: length(imageUrl),
    metadata: length(metadata),
  }
  return { ...terms, storedBytes }
}

const noText = { description: null, imageUrl: null, metadata: null }

describe('editing', () => {
  test('changes the fields that are given, and the time of the last change', () => {
    const exchange = new TestExchange()
    exchange.createMarket()
    exchange.wait(3)
    assert.equal(exchange.editMarket(texts).code, null)
    assert.partialDeepStrictEqual(exchange.save().markets[0]!, {
      ...inMemory(texts),
      createdAt: startMs,
      updatedAt: startMs + 3,
    })
  })

  test('leaves alone what is not given', () => {
    const exchange = new TestExchange()
    exchange.createMarket(texts)
    exchange.editMarket({ title: 'Another title' })
    const expected = inMemory({ ...texts, title: 'Another title' })
    assert.partialDeepStrictEqual(exchange.save().markets[0]!, expected)
  })

  test('clears with null what may be null', () => {
    const exchange = new TestExchange()
    exchange.createMarket(texts)
    const { title, ...clearable } = texts
    const cleared = Object.fromEntries(Object.keys(clearable).map((field) => [field, null]))
    exchange.editMarket(cleared)
    const nothing = { ...noText, tradingStartsAt: null, tradingEndsAt: null, categoryId: null }
    assert.partialDeepStrictEqual(exchange.save().markets[0]!, inMemory({ ...nothing, title }))
  })

  for (const field of fixedOnceOpen) {
    test(`of ${field} is rejected once the market is open, and not before`, () => {
      const exchange = new TestExchange()
      exchange.createMarket()
      assert.equal(exchange.editMarket({ [field]: texts[field] }).code, null)
      exchange.manage('open')
      const { reject } = exchange.editMarket({ [field]: texts[field] })
      assert.deepEqual(reject, { code: 'MARKET_NOT_EDITABLE', status: 'OPEN' })
    })
  }

  for (const field of alwaysFree) {
    test(`of ${field} is allowed while the market is open`, () => {
      const exchange = newExchange()
      assert.equal(exchange.editMarket({ [field]: texts[field] }).code, null)
      const { categoryId, storedBytes } = exchange.save().markets[0]!
      const isChanged = field === 'categoryId' ? categoryId === 'weather' : storedBytes[field] > 0
      assert.ok(isChanged)
    })
  }

  test('that is rejected applies nothing, not even what is always free', () => {
    const exchange = newExchange()
    const { hash } = exchange
    exchange.editMarket({ imageUrl: texts.imageUrl, title: texts.title })
    assert.equal(exchange.hash, hash)
  })

  test('rejects a start at the end that the market has, and not a millisecond before', () => {
    const exchange = new TestExchange()
    exchange.createMarket({ tradingEndsAt: startMs + 5 })
    const { reject } = exchange.editMarket({ tradingStartsAt: startMs + 5 })
    assert.partialDeepStrictEqual(reject, { code: 'VALIDATION_ERROR', field: 'tradingStartsAt' })
    assert.equal(exchange.editMarket({ tradingStartsAt: startMs + 4 }).code, null)
  })
})
