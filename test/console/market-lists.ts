// The list of markets: filters and order in the address, what needs attention, actions on several
// markets; copies of markets, and the pages of the administrator.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import { adminKey, type Json } from '../support/process/outcry-process.ts'
import { type ConsoleFixture, timeoutMs, untilStatus } from './fixture.ts'

const titleCells = '.markets-table tbody th a'
const longName = 'W'.repeat(200)

/** An operator of its own, so that other tests add no markets. */
async function withOwnOperator({ service }: ConsoleFixture): Promise<OperatorClient> {
  return OperatorClient.create(service)
}

export async function listMarkets(fixture: ConsoleFixture): Promise<void> {
  const operator = await withOwnOperator(fixture)
  const traded = await operator.marketWithHolders({ ann: 50 }, { title: 'Alpha' })
  const [yes] = traded.outcomes
  const at = { marketId: traded.id, outcomeId: yes.id, type: 'LIMIT', shares: 10 }
  await operator.post('/orders', { ...at, playerId: 'ann', side: 'SELL', price: 0.6 })
  await operator.post('/orders', { ...at, playerId: 'bob', side: 'BUY', price: 0.6 })
  await operator.openMarket({ title: 'Gamma', tradingEndsAt: '2099-01-01T00:00:00.000Z' })
  const closed = await operator.openMarket({ title: 'Beta' })
  await operator.act(closed, 'close')

  const page = await fixture.at('/markets', { key: operator.key })
  const untilTitles = async (...expected: string[]) => {
    const shown = page.locator(titleCells)
    await shown.nth(expected.length - 1).waitFor()
    const deadline = Date.now() + timeoutMs
    while ((await shown.allTextContents()).join() !== expected.join()) {
      if (Date.now() > deadline) assert.deepEqual(await shown.allTextContents(), expected)
      await page.waitForTimeout(50)
    }
  }
  await untilTitles('Beta', 'Gamma', 'Alpha')
  const row = page.locator('.markets-table tbody tr', { hasText: 'Alpha' })
  await row.getByText('0.60').waitFor()
  await row.locator('.sparkline').waitFor()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText('Trading has ended: resolve it.').waitFor()

  await page.getByRole('button', { name: 'Market', exact: true }).click()
  await untilTitles('Alpha', 'Beta', 'Gamma')
  assert.match(page.url(), /\?sort=title&order=asc$/)
  await page.locator('thead').getByRole('button', { name: 'Market' }).press('Enter')
  await untilTitles('Gamma', 'Beta', 'Alpha')
  await page.getByRole('button', { name: 'Shares traded' }).click()
  await page.locator('th[aria-sort=descending]', { hasText: 'Shares traded' }).waitFor()
  await page.reload()
  await page.locator('th[aria-sort=descending]', { hasText: 'Shares traded' }).waitFor()
  await page.getByLabel('Needs attention', { exact: true }).check()
  await untilTitles('Beta')
  await page.getByRole('link', { name: 'Beta' }).click()
  await untilStatus(page, 'Closed')
  await page.getByText('Trading has ended. Resolve the market').waitFor()
  assert.equal(await page.locator('.order-ticket').count(), 0)
  await page.goBack()
  await untilTitles('Beta')
}

export async function actOnMarkets(fixture: ConsoleFixture): Promise<void> {
  const operator = await withOwnOperator(fixture)
  const markets: Json[] = []
  for (const title of ['One', 'Two', 'Three']) markets.push(await operator.createMarket({ title }))
  const page = await fixture.at('/markets', { key: operator.key })
  for (const title of ['One', 'Two', 'Three']) await page.getByLabel(`Choose ${title}`).check()
  const bulk = page.getByRole('region', { name: 'Chosen markets' })
  await bulk.getByText('3 markets chosen').waitFor()
  assert.equal(await bulk.getByRole('button', { name: 'Close 0' }).isDisabled(), true)
  // One of them changes after it was chosen: it fails alone.
  await bulk.getByRole('button', { name: 'Open 3' }).click()
  const dialog = page.getByRole('dialog')
  await operator.act(markets[1], 'cancel', { reason: 'a mistake' })
  await dialog.getByRole('button', { name: 'Open 3 markets' }).click()
  await dialog.getByText('2 of 3 done, 1 failed').waitFor()
  await dialog.getByText(/^Two: The state of the market does not allow that/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const statuses = async () =>
    Promise.all(markets.map(async (market) => (await operator.market(market)).status))
  assert.deepEqual(await statuses(), ['OPEN', 'CANCELLED', 'OPEN'])
  // What has failed is still chosen.
  await bulk.getByText('1 market chosen').waitFor()
  await bulk.getByRole('button', { name: 'Clear' }).click()

  for (const title of ['One', 'Three']) await page.getByLabel(`Choose ${title}`).press('Space')
  await bulk.getByRole('button', { name: 'Suspend 2' }).press('Enter')
  await dialog.getByLabel('Reason').fill('the feed is down')
  await page.keyboard.press('Enter')
  await dialog.getByText('2 of 2 done').waitFor()
  assert.deepEqual(await statuses(), ['SUSPENDED', 'CANCELLED', 'SUSPENDED'])
}

export async function copyMarket(fixture: ConsoleFixture): Promise<void> {
  const operator = await withOwnOperator(fixture)
  const outcomes = ['Lisbon', longName].map((name) => ({ name }))
  const made = await operator.createMarket({ title: 'Where?', outcomes, completeSetMatching: true })
  const page = await fixture.at(`/markets/${made.id}`, { key: operator.key, width: 390 })
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(excess, 0, 'a long name')
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await page.getByText('A copy of “Where?”').waitFor()
  assert.equal(await page.getByLabel('Outcome 2', { exact: true }).inputValue(), longName)
  assert.equal(await page.getByLabel('Complete-set matching').isChecked(), true)
  // Typed by a user who is wrong about the year.
  await page.getByLabel('Trading ends').fill('2020-01-01T12:00')
  await page.getByRole('button', { name: 'Create market' }).click()
  await page.getByText('Trading must end in the future.').waitFor()
  await page.getByLabel('Trading ends').fill('')

  const field = page.getByLabel('Outcome 2', { exact: true })
  await field.focus()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify('Porto\n\n  Faro \r\nLisbon')})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  }`)
  await page.getByText('“Lisbon” is there more than once.').waitFor()
  await page.getByLabel('Outcome 4', { exact: true }).fill('Évora')
  await page.getByRole('button', { name: 'Create market' }).click()
  await untilStatus(page, 'Draft')
  const { markets } = await operator.get('/markets?limit=1')
  const names = markets[0].outcomes.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['Lisbon', 'Porto', 'Faro', 'Évora'])
}

/** Its first key was used today, the second never; neither expires. */
async function showsUse(page: Page, operator: OperatorClient): Promise<void> {
  await operator.withKey({ label: 'Spare' })
  await page.reload()
  const cellsOf = (label: string) =>
    page.locator('tr', { hasText: label }).filter({ hasText: 'Revoke' }).locator('td')
  await cellsOf('Spare').nth(3).getByText('Never', { exact: true }).waitFor()
  await cellsOf('No label').nth(2).getByText('Never', { exact: true }).waitFor()
  await cellsOf('No label')
    .nth(3)
    .getByText(/\d:\d\d/)
    .waitFor()
}

async function addsKeyThatExpires(page: Page, { id }: OperatorClient): Promise<void> {
  const form = page.locator('.panel', { hasText: 'Add a key' })
  await form.getByLabel('Label').fill('For a week')
  await form.getByLabel('Expires').fill('2020-01-01T12:00')
  await form.getByRole('button', { name: 'Add key' }).click()
  await form.getByText('The key must expire in the future.').waitFor()
  await form.getByLabel('Expires').fill('2099-01-01T12:00')
  await form.getByRole('button', { name: 'Add key' }).click()
  const row = page.locator('tr', { hasText: 'For a week' })
  await row.getByText(/2099/).waitFor()
  assert.equal(await form.getByLabel('Expires').inputValue(), '', id)
}

export async function administer(fixture: ConsoleFixture): Promise<void> {
  const operator = await withOwnOperator(fixture)
  await operator.openMarket({ title: 'A market of the operator' })
  const page = await fixture.signedIn(adminKey)
  await page.goto(`${fixture.service.url}/console/operators/${operator.id}`)
  await page.getByText('A market of the operator').waitFor()
  await showsUse(page, operator)
  await addsKeyThatExpires(page, operator)
  await page.getByRole('link', { name: 'Categories' }).click()
  await page.getByLabel('Name', { exact: true }).fill('For everyone')
  await page.getByRole('button', { name: 'Add category' }).click()
  const row = page.locator('tbody tr', { hasText: 'for-everyone' })
  await row.getByRole('button', { name: 'Edit For everyone' }).click()
  await page.getByLabel('Active').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Hidden').waitFor()
  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByText('Accepted').waitFor()
}
