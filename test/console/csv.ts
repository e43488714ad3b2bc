// Lists as CSV files: their rows, how far they are, and that they end with their page.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { OperatorClient, orderBody } from '../support/http/operator-client.ts'
import type { ConsoleFixture } from './fixture.ts'

const batches = 11
const ordersEach = 92

export async function downloadCsv(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  const market = await operator.openMarket()
  const placed = new Set<string>()
  for (let batch = 0; batch < batches; batch += 1) {
    const order = orderBody(market, 'BUY', { player: `ann-${batch}`, price: 0.2, shares: 1 })
    const orders = Array.from({ length: ordersEach }, () => order)
    const { results } = await operator.post('/orders/batch', { orders })
    for (const { data } of results) placed.add(data.order.id)
  }
  assert.equal(placed.size, batches * ordersEach)
  const other = await operator.openMarket()
  await operator.buy(other, { player: 'bob', price: 0.2, shares: 1 })

  const page = await fixture.at(`/markets/${market.id}`, { key: operator.key })
  let release = () => {}
  await page.route(/\/orders\?.*cursor=/, async (route) => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    // Fails for a request that the page has ended.
    await route.continue().catch(() => {})
  })
  await page.getByRole('button', { name: 'Download CSV of orders' }).press('Enter')
  await page.getByRole('button', { name: '1,000 rows …' }).waitFor()
  const downloading = page.waitForEvent('download')
  release()
  const file = await downloading
  assert.match(file.suggestedFilename(), /^orders-\d{4}-\d\d-\d\d\.csv$/)
  const [names = '', ...rows] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n')
  const at = names.trim().split(',').indexOf('id')
  assert.equal(rows.length, placed.size)
  assert.deepEqual(new Set(rows.map((row) => row.split(',')[at])), placed)

  await page.getByRole('button', { name: 'Download CSV of orders' }).click()
  await page.getByRole('button', { name: '1,000 rows …' }).waitFor()
  const ended = page.waitForEvent('requestfailed', (request) => /cursor=/.test(request.url()))
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await ended
  release()
  await page.unrouteAll({ behavior: 'wait' })

  await page.goto(`${fixture.service.url}/console/events`)
  await page.getByLabel('Event type').selectOption('MARKET_STATUS_CHANGED')
  const events = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV of events' }).click()
  const [, ...changes] = (await readFile(await (await events).path(), 'utf8')).trim().split('\n')
  assert.equal(changes.length, 2)
  for (const change of changes) assert.match(change, /MARKET_STATUS_CHANGED/)
  assert.deepEqual(fixture.pageErrors, [])
}
