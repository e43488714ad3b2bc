// What a key may not do, and what a state of a market rules out, is not offered.

import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import { type ConsoleFixture, ticket, untilLive } from './fixture.ts'

const widths = [1440, 390]

export async function offerOnlyWhatAKeyAllows(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  const market = await operator.marketWithHolders({ ann: 10 })
  await operator.sell(market, { price: 0.6, shares: 5 })
  const url = 'http://127.0.0.1:9/not-listening'
  const { id: webhookId } = await operator.post('/webhooks', { url })
  await operator.post('/categories', { name: 'Own', slug: 'own' })
  const withScopes = (label: string, ...scopes: string[]) => operator.withKey({ label, scopes })
  const keys = {
    read: await withScopes('A dashboard', 'read'),
    trade: await withScopes('A desk', 'read', 'trade'),
    manage: await withScopes('An editor', 'read', 'manage'),
  }
  for (const width of widths) {
    for (const [scope, { key }] of Object.entries(keys)) {
      const page = await fixture.at('/markets', { key, width })
      const [mayTrade, mayManage] = [scope === 'trade', scope === 'manage']
      await page.locator('.markets-table tbody tr').first().waitFor()
      await count(page, 'a:has-text("Create market")', mayManage)
      await count(page, '.markets-table input[type=checkbox]', mayManage)

      await visit(page, `/markets/${market.id}`, '.orders-table tbody tr')
      await count(page, '.page-head .actions button, .page-head .actions a', mayManage)
      await count(page, '.order-ticket', mayTrade)
      await count(page, 'button:has-text("Mint sets")', mayTrade)
      await count(page, 'button:has-text("Cancel all")', mayTrade)
      await count(page, '.orders-table button', mayTrade)
      await count(page, ':text("This key may not place orders.")', !mayTrade)

      await visit(page, '/markets/new', 'h1')
      await count(page, '.form-page', mayManage)
      await visit(page, `/markets/${market.id}/edit`, 'h1')
      await page
        .locator(mayManage ? '.form-page' : '.lead')
        .first()
        .waitFor()
      await count(page, '.form-page', mayManage)
      await visit(page, '/categories', '.table tbody tr')
      await count(page, 'form', mayManage)
      await count(page, '.table button', mayManage)
      await visit(page, '/webhooks', '.table tbody tr')
      await count(page, 'form', mayManage)
      await visit(page, `/webhooks/${webhookId}`, '.panel')
      await count(page, '.page-head button', mayManage)
      await page.keyboard.press('n')
      await page.keyboard.press('g')
      await page.keyboard.press('m')
      await page.locator('.markets-table, .form-page').first().waitFor()
      assert.match(page.url(), /\/markets$|\/markets\/new$/)
      await page.context().close()
    }
  }
}

export async function showOperatorAndKey(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  const label = 'The dashboard on the wall of the office, which only reads'
  const { key } = await operator.withKey({ label, scopes: ['read'] })
  const { operatorName } = await operator.get('/me')
  for (const width of widths) {
    const page = await fixture.at('/markets', { key, width })
    const shown = page.locator('.top .identity')
    await shown.getByText(operatorName, { exact: true }).waitFor()
    assert.match((await shown.textContent()) ?? '', /The dashboard on the wall.* · read$/)
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.equal(excess, 0)
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
      )
    }
  }
}

/** Another operator's shared market, and states without orders. */
export async function shapePagesByState(fixture: ConsoleFixture): Promise<void> {
  const { service } = fixture
  const owner = await OperatorClient.create(service)
  const guest = await OperatorClient.create(service)
  const shared = await owner.openMarket({ shared: true })
  await guest.buy(shared, { price: 0.4, shares: 5 })
  const page = await fixture.at(`/markets/${shared.id}`, { key: guest.key })
  await ticket(page).waitFor()
  await page.locator('.orders-table tbody tr').first().waitFor()
  assert.deepEqual(await buttonsOf(page), ['Duplicate'])
  assert.deepEqual(await tabsOf(page), ['Open orders', 'Positions'])

  const market = await owner.createMarket()
  const other = await fixture.at(`/markets/${market.id}`, { key: owner.key })
  const shows = async (words: string, tabs: readonly string[]) => {
    await visit(other, `/markets/${market.id}`, `:text("${words}")`)
    assert.deepEqual(await tabsOf(other), tabs, words)
    await count(other, '.book-table', tabs.includes('Open orders'))
    await count(other, '.order-ticket', tabs.includes('Open orders') && words === 'Place order')
  }
  await shows('Only you see this market', [])
  await other.getByRole('link', { name: 'History' }).click()
  await other.locator('.audit-table tbody th', { hasText: 'Market created' }).waitFor()
  await owner.act(market, 'open')
  await visit(other, `/markets/${market.id}`, '.order-ticket')
  assert.deepEqual(await tabsOf(other), ['Open orders', 'Positions', 'Reconciliation'])
  await owner.suspend(market)
  await shows('Trading is paused', ['Open orders', 'Positions', 'Reconciliation'])
  await owner.act(market, 'close')
  await shows('Trading has ended', ['Positions', 'Reconciliation'])
  await owner.resolve(market)
  await shows('The result is known', ['Positions', 'Settlements', 'Reconciliation'])
  await owner.act(market, 'settle')
  await shows('The market is settled', ['Positions', 'Settlements', 'Reconciliation'])
  assert.deepEqual(fixture.pageErrors, [])
}

async function visit(page: Page, path: string, ready: string): Promise<void> {
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/console${path}`)
  await untilLive(page)
  await page.locator(ready).first().waitFor()
}

/** The page is loaded: what is not there yet, is not offered. */
async function count(page: Page, selector: string, isOffered: boolean): Promise<void> {
  const found = await page.locator(selector).count()
  assert.equal(found > 0, isOffered, `${selector} on ${page.url()}: ${found}`)
}

async function buttonsOf(page: Page): Promise<readonly string[]> {
  return page.locator('.page-head .actions').locator('button, a').allTextContents()
}

async function tabsOf(page: Page): Promise<readonly string[]> {
  return page.locator('.holdings .tabs label').allTextContents()
}
