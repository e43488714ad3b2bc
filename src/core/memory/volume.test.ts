// Shares traded in the last 24 hours, to the minute.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange } from '../../../test/support/core/exchange.ts'
import { Random } from '../../../test/support/process/random.ts'
import { Volume } from './volume.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const noon = Date.UTC(2026, 0, 1, 12)

describe('the volume of the last 24 hours', () => {
  test('is 0 before the first trade', () => {
    assert.equal(new Volume().total(noon), 0)
  })

  test('adds up trades of one minute and of several', () => {
    const volume = new Volume()
    volume.add(noon, 100)
    volume.add(noon + minuteMs - 1, 20)
    volume.add(noon + minuteMs, 3)
    assert.equal(volume.total(noon + minuteMs), 123)
  })

  test('has a trade until its minute is a day old, and then no more', () => {
    const volume = new Volume()
    volume.add(noon + 30_000, 100)
    assert.equal(volume.total(noon + dayMs - 1), 100)
    assert.equal(volume.total(noon + dayMs), 0)
  })

  test('agrees with a list of all trades, over three busy days', () => {
    const random = new Random(61)
    const volume = new Volume()
    const trades: { minute: number; shares: number }[] = []
    let now = noon
    while (now < noon + 3 * dayMs) {
      now += random.chance(2) ? random.between(0, dayMs / 4) : random.between(0, 3 * minuteMs)
      const shares = random.between(1, 1_000)
      volume.add(now, shares)
      const minute = Math.floor(now / minuteMs)
      trades.push({ minute, shares })
      const expected = trades
        .filter((trade) => trade.minute > minute - 24 * 60)
        .reduce((sum, trade) => sum + trade.shares, 0)
      assert.equal(volume.total(now), expected)
    }
  })

  test('keeps no more minutes than a day has', () => {
    const volume = new Volume()
    for (let minute = 0; minute < 3_000; minute += 1) volume.add(noon + minute * minuteMs, 1)
    assert.equal(volume.buckets.length, 24 * 60)
  })

  test('is the same after it was restored', () => {
    const volume = new Volume()
    volume.add(noon, 100)
    volume.add(noon + minuteMs, 20)
    const restored = new Volume()
    restored.restore(volume.buckets)
    restored.add(noon + minuteMs, 3)
    assert.equal(restored.total(noon + minuteMs), 123)
    assert.equal(volume.total(noon + minuteMs), 120, 'and shares nothing with the other')
  })
})

test('each trade counts its shares once, in its outcome and in its market', () => {
  const exchange = newExchange()
  exchange.mint('ann', 10)
  exchange.sell('ann', 4, 0.5)
  exchange.sell('ann', 3, 0.5, { outcome: 1 })
  exchange.buy('bob', 4, 0.5)
  exchange.buy('bob', 3, 0.5, { outcome: 1 })
  const { books, volume, tradeCount } = exchange.market()
  assert.deepEqual(
    books.map((book) => book.volume.total(exchange.now)),
    [400, 300],
  )
  assert.deepEqual([volume.exact, tradeCount], [700n, 2])
})
