// The charts of the statistics by day: what they read out, the choice of range and category.

import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import { untilTrue } from '../support/process/chromium.ts'
import { type ConsoleFixture, timeoutMs } from './fixture.ts'

const dayMs = 86_400_000
const charts = ['Shares traded', 'Fees', 'Trades', 'Active players']

export async function chartDays(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  for (const width of [1440, 390]) {
    const page = await fixture.at('/statistics', { key: operator.key, width })
    await page.getByText('No trades in this time.').waitFor()
    await page.context().close()
  }
  const category = await operator.post('/categories', { name: 'Harbours', slug: 'harbours' })
  const market = await operator.marketWithHolders({ ann: 5_000 }, { categoryId: category.id })
  await operator.sell(market, { player: 'ann', shares: 1_234.5, price: 0.5 })
  await operator.buy(market, { player: 'bob', shares: 1_234.5, price: 0.5 })
  for (const width of [1440, 390]) {
    const page = await fixture.at('/statistics', { key: operator.key, width })
    await untilRead(page, 'Shares traded', /, 1,234\.5$/)
    await untilRead(page, 'Active players', /, 2$/)
    const ranges = await page.locator('.panel-tools .segments').boundingBox()
    assert.ok(ranges !== null && ranges.height < 40, 'the ranges are not stretched')
    await page.getByLabel('Category').selectOption('Harbours')
    await page.waitForURL(/category=/)
    await untilRead(page, 'Trades', /, 1$/)
    await readDays(page)
    await page.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}

/** As if something was traded every day. */
async function readDays(page: Page): Promise<void> {
  const asked: URLSearchParams[] = []
  await page.route('**/stats/daily?*', (route) => {
    const query = new URL(route.request().url()).searchParams
    asked.push(query)
    const from = Date.parse(query.get('from') ?? '')
    const count = Math.floor(Date.now() / dayMs) - from / dayMs + 1
    const days = Array.from({ length: count }, (_, index) => ({
      date: new Date(from + index * dayMs).toISOString().slice(0, 10),
      volume: String(1_000 + index),
      fees: `${index}.0000000001`,
      trades: index,
      activePlayers: index % 7,
    }))
    return route.fulfill({ json: { success: true, data: { days } } })
  })
  for (const [choice, count] of [
    ['90 days', 90],
    ['7 days', 7],
    ['1 year', 366],
  ] as const) {
    await page.getByLabel(choice, { exact: true }).click()
    await untilRead(page, 'Trades', new RegExp(`, ${count - 1}$`))
    const from = Date.parse(asked.at(-1)?.get('from') ?? '')
    assert.equal(Math.floor((Date.now() - from) / dayMs), count - 1)
    assert.notEqual(asked.at(-1)?.get('categoryId'), null)
  }
  await page.getByRole('slider', { name: 'Fees by day' }).focus()
  await page.keyboard.press('Home')
  // All charts read out the same day.
  await untilRead(page, 'Fees', /, 0\.0000000001$/)
  await untilRead(page, 'Shares traded', /, 1,000$/)
  await page.keyboard.press('ArrowRight')
  await untilRead(page, 'Fees', /, 1\.0000000001$/)
  await page.reload()
  await untilRead(page, 'Trades', /, 365$/)
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(excess, 0)
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    assert.deepEqual(found, [], theme)
  }
}

/** What the chart says, which the text above it shows, too. */
async function untilRead(page: Page, chart: string, text: RegExp): Promise<void> {
  assert.ok(charts.includes(chart))
  const slider = page.getByRole('slider', { name: `${chart} by day` })
  await slider.and(page.locator('[aria-valuetext]')).waitFor()
  const given = [`${chart} by day`, text.source].map((each) => JSON.stringify(each))
  await untilTrue(page, `(${readsOut})(${given.join(', ')})`, timeoutMs)
}

const readsOut = `(name, text) => {
  const slider = document.querySelector('[role=slider][aria-label="' + name + '"]')
  const said = slider === null ? '' : slider.getAttribute('aria-valuetext')
  const part = slider === null ? null : slider.closest('.daily-chart').querySelector('dd')
  return new RegExp(text).test(said) && said.endsWith(', ' + part.textContent)
}`
