// The order book scrolls, keeps its place and groups by ticks; the outcomes have totals.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Json } from '../support/process/outcry-process.ts'
import { type ConsoleFixture, ticket, timeoutMs, untilLevels } from './fixture.ts'

export async function scrollBook(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const market = await operator.marketWithHolders({ ann: 1_000 })
  const orders = Array.from({ length: 40 }, (_, at) => [
    { side: 'SELL', playerId: 'ann', price: (5_001 + at) / 10_000 },
    { side: 'BUY', playerId: 'bob', price: (4_999 - at) / 10_000 },
  ]).flat()
  const outcome = { marketId: market.id, outcomeId: market.outcomes[0].id }
  await operator.post('/orders/batch', {
    orders: orders.map((order) => ({ ...outcome, ...order, type: 'LIMIT', shares: 2 })),
  })
  for (const width of [1_440, 390]) {
    const page = await fixture.at(`/markets/${market.id}`, { width })
    const rows = page.locator('.book-table .side tr:not(.empty)')
    await rows.nth(79).waitFor({ state: 'attached' })
    // The best prices are seen first, the worst by scrolling.
    const [bestAsk, bestBid] = [at(page, 'ask', 39), at(page, 'bid', 0)]
    assert.deepEqual([await isSeen(bestAsk), await isSeen(bestBid)], [true, true])
    assert.equal(await isSeen(at(page, 'ask', 0)), false)
    await at(page, 'bid', 39).scrollIntoViewIfNeeded()
    assert.deepEqual([await isSeen(bestAsk), await isSeen(at(page, 'bid', 39))], [false, true])
    // A level that comes above what is seen does not move it.
    if (width > 1_000) {
      const before = await topOf(at(page, 'bid', 39))
      await operator.sell(market, { price: 0.6, shares: 1 })
      await rows.nth(80).waitFor({ state: 'attached' })
      assert.equal(await topOf(at(page, 'bid', 39)), before)
    }
    const grouping = page.getByLabel('Group by')
    await grouping.selectOption('10 ticks')
    await untilLevels(page, 'bid', ['0.4990 20', '0.4980 20', '0.4970 20', '0.4960 20'])
    await grouping.selectOption('100 ticks')
    await untilLevels(page, 'ask', ['0.6000 1', '0.5100 80'])
    await grouping.selectOption('5 ticks')
    // By keyboard: from the best bid up to the best ask, and onto the ticket.
    await page.getByRole('button', { name: 'Use the price 0.4995' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    const price = ticket(page).getByLabel('Price', { exact: true })
    const deadline = Date.now() + timeoutMs
    while ((await price.inputValue()) !== '0.501' && Date.now() < deadline) {
      await page.waitForTimeout(20)
    }
    assert.equal(await price.inputValue(), '0.501')
  }
}

export async function totalOutcomes(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const names = ['Lisbon', 'W'.repeat(120), 'Faro'].map((name) => ({ name }))
  const title = `Which ${'x'.repeat(150)}?`
  const market = await operator.marketWithHolders({ ann: 100 }, { outcomes: names, title })
  for (const [at, bid, ask] of [
    [0, 0.41, 0.45],
    [1, 0.3001, 0.35],
  ] as const) {
    await operator.buy(market, { outcome: at, price: bid, shares: 5, player: 'bob' })
    await operator.sell(market, { outcome: at, price: ask, shares: 5 })
  }
  await operator.buy(market, { outcome: 2, price: 0.2, shares: 5, player: 'bob' })
  for (const width of [1_440, 390]) {
    const page = await fixture.at(`/markets/${market.id}`, { width })
    const total = page.locator('.outcomes tfoot')
    await total.locator('.bid', { hasText: '0.9101' }).waitFor()
    const ask = total.locator('.ask')
    if (width > 1_000) {
      assert.equal(await ask.textContent(), '–')
      await operator.sell(market, { outcome: 2, price: 0.25, shares: 5 })
    }
    await ask.filter({ hasText: '1.05' }).waitFor()
    await page.locator('.outcomes').getByRole('button', { name: 'WWW' }).click()
    await ticket(page).getByRole('button', { name: 'Buy WWW' }).waitFor()
    await page.locator('.holdings tbody tr').first().waitFor()
    const wide = await page.evaluate(`[...document.querySelectorAll('.panel, .page-head')]
      .filter((panel) => panel.scrollWidth > panel.clientWidth || panel.offsetWidth > innerWidth)
      .map((panel) => panel.className + ' ' + panel.scrollWidth + ' > ' + panel.clientWidth)`)
    assert.deepEqual(wide, [], `${width} px`)
    const overlapping = await page.evaluate(`[...document.querySelectorAll('tbody :is(th, td)')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
      .map((cell) => cell.textContent)`)
    assert.deepEqual(overlapping, [], `${width} px`)
  }
}

function at(page: Page, side: 'ask' | 'bid', index: number) {
  return page.locator(`.book-table .side.${side} tr:not(.empty)`).nth(index)
}

type Row = ReturnType<typeof at>

async function topOf(row: Row): Promise<number> {
  return Math.round((await row.boundingBox())?.y ?? Number.NaN)
}

/** Within the part of the book that is scrolled to. */
function isSeen(row: Row): Promise<boolean> {
  return row.evaluate((element: Json) => {
    const place = element.closest('.book-scroll').getBoundingClientRect()
    const { top, bottom } = element.getBoundingClientRect()
    return top >= place.top && bottom <= place.bottom + 1
  })
}
