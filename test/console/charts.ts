// The charts of prices: the readout of a candle, ranges, and lines of all outcomes.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Json } from '../support/process/outcry-process.ts'
import { type ConsoleFixture, timeoutMs } from './fixture.ts'

const minuteMs = 60_000

export async function readCandles(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const market = await tradedMarket(fixture)
  for (const width of [1_440, 390]) {
    const page = await fixture.at(`/markets/${market.id}`, { width })
    const chart = page.getByRole('slider', { name: 'Price of Yes over time' })
    const path = `/markets/${market.id}/candles/${market.outcomes[0].id}?interval=1m`
    const real = (await operator.get(path)).at(-1)
    await untilReadout(page, partsOf(real))

    // As if traded over three minutes.
    const end = Math.floor(Date.now() / minuteMs) * minuteMs
    const candles = [0.41, 0.52, 0.63].map((open, at) => ({
      time: end + (at - 2) * minuteMs,
      open,
      high: open + 0.1,
      low: open - 0.1,
      close: open + 0.05,
      volume: 1_000 + at,
      trades: 2,
    }))
    const asked: URL[] = []
    await page.route('**/candles/**', (route) => {
      asked.push(new URL(route.request().url()))
      return route.fulfill({ json: { success: true, data: candles } })
    })
    await page.reload()
    await untilReadout(page, partsOf(candles[2]))
    await chart.focus()
    for (const [key, at] of [
      ['ArrowLeft', 2],
      ['ArrowLeft', 1],
      ['Home', 0],
      ['ArrowRight', 1],
      ['End', 2],
    ] as const) {
      await page.keyboard.press(key)
      await untilReadout(page, partsOf(candles[at]))
      assert.match(
        (await chart.getAttribute('aria-valuetext')) ?? '',
        new RegExp(`, open ${candles[at]?.open}, high .*, volume 1,00${at}$`),
      )
    }
    const box = await chart.boundingBox()
    if (box === null) throw new Error('the chart is not visible')
    await page.mouse.move(box.x + 40, box.y + 100)
    await untilReadout(page, partsOf(candles[0]))
    await page.mouse.move(0, 0)
    await untilReadout(page, partsOf(candles[2]))

    for (const [name, interval, hours] of [
      ['1H', '1m', 1],
      ['6H', '1m', 6],
      ['1D', '5m', 24],
      ['1W', '1h', 168],
    ] as const) {
      asked.length = 0
      await page.getByLabel(name, { exact: true }).click()
      await untilReadout(page, partsOf(candles[2]))
      const deadline = Date.now() + timeoutMs
      while (asked.length === 0 && Date.now() < deadline) await page.waitForTimeout(20)
      const query = asked[0]?.searchParams
      const spanMs = Date.now() - new Date(query?.get('from') ?? '').getTime()
      assert.equal(query?.get('interval'), interval)
      assert.equal(Math.round(spanMs / 3_600_000), hours)
    }
  }
}

export async function readLines(fixture: ConsoleFixture): Promise<void> {
  const market = await tradedMarket(fixture)
  for (const width of [1_440, 390]) {
    const page = await fixture.at(`/markets/${market.id}`, { width })
    await page.getByLabel('All outcomes', { exact: true }).press('Space')
    const chart = page.getByRole('slider', { name: 'Prices of all outcomes over time' })
    await chart.focus()
    await page.keyboard.press('End')
    await untilReadout(page, ['Yes0.40', 'No0.70'])
    assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /, Yes 0\.40, No 0\.70$/)
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.equal(excess, 0, `${width} px`)
  }
}

/** Yes traded at 0.5, 0.6 and 0.4, and No at 0.7. */
async function tradedMarket({ operator }: ConsoleFixture): Promise<Json> {
  const market = await operator.marketWithHolders({ ann: 100 })
  for (const [outcome, price] of [
    [0, 0.5],
    [0, 0.6],
    [0, 0.4],
    [1, 0.7],
  ] as const) {
    await operator.sell(market, { outcome, price, shares: 10 })
    await operator.buy(market, { outcome, price, shares: 10, player: 'bob' })
  }
  return market
}

function partsOf(candle: Json): readonly string[] {
  const { open, high, low, close, volume } = candle
  const shown = (price: number) => price.toFixed(4).replace(/0{1,2}$/, '')
  const grouped = volume.toLocaleString('en-US')
  return [
    `O${shown(open)}`,
    `H${shown(high)}`,
    `L${shown(low)}`,
    `C${shown(close)}`,
    `Volume${grouped}`,
  ]
}

/** After the time. */
async function untilReadout(page: Page, expected: readonly string[]): Promise<void> {
  const parts = page.locator('.readout > div')
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const shown = (await parts.allTextContents()).slice(1)
    if (shown.join() === expected.join()) return
    if (Date.now() > deadline) assert.deepEqual(shown, expected)
    await page.waitForTimeout(25)
  }
}
