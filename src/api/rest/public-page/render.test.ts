// The public page with texts that no rule of today lets through: they may have been stored earlier.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublicMarket } from '../../schemas/public-market.ts'
import { chanceOf } from './figures.js'
import { marketPage } from './render.ts'

const outcome: PublicMarket['outcomes'][number] = {
  id: '01a1e000-0000-7000-8000-000000000002',
  name: 'Yes',
  description: null,
  bestBid: null,
  bestAsk: null,
  lastPrice: null,
  payoutPerShare: null,
}
const market: PublicMarket = {
  id: '01a1e000-0000-7000-8000-000000000001',
  title: 'Rain?',
  description: null,
  status: 'OPEN',
  tradingStartsAt: null,
  tradingEndsAt: null,
  resolvedAt: null,
  totalVolume: '1234567.5',
  outcomes: [outcome],
}

test('every text is escaped wherever it is shown, however long and in whatever direction', () => {
  const hostile = `\u202e"><script>alert('x')</script>&${'<'.repeat(500)}`
  const outcomes = [{ ...outcome, name: hostile, description: hostile }]
  for (const isEmbedded of [false, true]) {
    const shown = { ...market, title: hostile, description: hostile, outcomes }
    const page = marketPage({ market: shown, isEmbedded })
    assert.equal(page.match(/<script/g)?.length, 1)
    assert.doesNotMatch(page, /alert\('x'\)|<</)
    assert.doesNotMatch(page, /content="[^"]*"[^>\s]/)
  }
})

test('the preview of a link is short and ends with a whole letter', () => {
  const page = marketPage({
    market: { ...market, description: '😀'.repeat(500) },
    isEmbedded: false,
  })
  const [, text = ''] = /og:description" content="([^"]*)"/.exec(page) ?? []
  assert.equal([...text].length, 200)
  assert.ok(text.endsWith('😀…'))
})

test('the chance is the payout, else the middle of the book, else the last price', () => {
  assert.equal(chanceOf(outcome), '–')
  assert.equal(chanceOf({ ...outcome, bestBid: 0.4, lastPrice: 0.3 }), '30.0%')
  const traded = { ...outcome, bestBid: 0.4, bestAsk: 0.5, lastPrice: 0.3 }
  assert.equal(chanceOf(traded), '45.0%')
  assert.equal(chanceOf({ ...traded, payoutPerShare: 0 }), '0.0%')
})
