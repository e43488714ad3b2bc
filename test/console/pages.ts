// All pages: accessibility in both themes, size of the first load, width on phones.

import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { adminKey } from '../support/process/outcry-process.ts'
import { type ConsoleFixture, fillTicket, untilLevels, untilLive } from './fixture.ts'

/** Pixels that Chromium needs to show a date and time, and its button. */
const dateTimeWidthMin = 220

const firstLoadMax = 150 * 1_024

export async function limitFirstLoad(
  fixture: ConsoleFixture,
  report: (line: string) => void,
): Promise<void> {
  const { service } = fixture
  const page = await fixture.newPage()
  const requests: { readonly url: string; readonly bytes: Promise<number> }[] = []
  page.on('requestfinished', (request) => {
    const bytes = request.sizes().then((sizes) => sizes.responseBodySize)
    requests.push({ url: request.url(), bytes })
  })
  await page.goto(`${service.url}/console`, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { name: 'Outcry console' }).waitFor()
  const sizes = await Promise.all(requests.map(({ bytes }) => bytes))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  report(`${(total / 1_024).toFixed(1)} KB`)
  assert.ok(total > 10_000 && total < firstLoadMax, `${total} bytes`)
  for (const { url } of requests) assert.ok(url.startsWith(service.url), url)
}

export async function passAxe(fixture: ConsoleFixture): Promise<void> {
  const { operator, service } = fixture
  const { market, webhookId } = await populate(fixture)
  const page = await fixture.newPage()
  await page.goto(`${service.url}/console`)
  await check(page, 'sign in')
  await storeSession(page, { kind: 'operator', key: operator.key })
  const open = async (path: string, ready: string) => {
    await page.goto(`${service.url}/console${path}`)
    await page.locator(ready).first().waitFor()
  }
  const visit = async (path: string, ready: string) => {
    await open(path, ready)
    await check(page, path)
  }
  await visit('/markets', '.markets-table tbody tr')
  await visit('/markets/new', '.form-page')
  await visit(`/markets/${market.id}/edit`, '.form-page')
  await visit('/categories', '.table tbody tr')
  await visit('/events', '.event')
  await visit('/webhooks', '.table tbody tr')
  await visit(`/webhooks/${webhookId}`, '.panel')
  await visit('/statistics', '.tile')
  await visit('/audit', '.audit-table tbody tr')
  await visit(`/audit?targetId=${market.id}`, '.audit-table tbody tr')
  await visit('/players', '.table tbody tr')
  await visit('/nowhere', '.lead')
  await open('/players', '.table tbody tr')
  await page.getByLabel('Player ID').fill('ann')
  await page.keyboard.press('Enter')
  await page.locator('.holdings tbody tr').first().waitFor()
  await check(page, 'a player')
  await open(`/markets/${market.id}`, '.book-table .side.bid tr:not(.empty)')
  await checkMarket(page)

  await storeSession(page, { kind: 'admin', key: adminKey })
  await visit('/operators', '.table tbody tr')
  await visit(`/operators/${operator.id}`, '.table tbody tr')
  await visit('/cluster', '.table tbody tr')
  await visit('/categories', '.panel')
  await visit('/health', '.stat')
  await visit('/audit', '.audit-table tbody tr')
  assert.deepEqual(fixture.pageErrors, [])
}

export async function fitPhones(fixture: ConsoleFixture): Promise<void> {
  const { operator, service } = fixture
  const { market, webhookId } = await populate(fixture)
  const page = await fixture.newPage({ width: 390 })
  await page.goto(`${service.url}/console`)
  await storeSession(page, { kind: 'operator', key: operator.key })
  const paths = ['/markets', '/markets/new', `/markets/${market.id}`, '/events', '/statistics']
  const records = ['/categories', '/webhooks', `/webhooks/${webhookId}`, '/audit']
  const others = [`/markets/${market.id}/edit`, '/players', '/players/ann', '/controls', '/nowhere']
  for (const path of [...paths, ...records, ...others]) {
    await page.goto(`${service.url}/console${path}`)
    await page.locator('h1').waitFor()
    await untilLive(page)
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    await checkWidth(page, path)
    await checkSections(page)
    if (path === '/markets/new') await checkNarrowForm(page)
  }
  await storeSession(page, { kind: 'admin', key: adminKey })
  const ofAll = [
    '/operators',
    `/operators/${operator.id}`,
    '/categories',
    '/audit',
    '/controls',
    '/health',
  ]
  for (const path of [...ofAll, '/cluster']) {
    await page.goto(`${service.url}/console${path}`)
    await page.locator('h1').waitFor()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    await checkWidth(page, path)
    await checkSections(page)
  }
}

async function checkWidth(page: Page, path: string): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(excess, 0, path)
}

/** All sections can be seen, and none touches an edge of the screen. */
async function checkSections(page: Page): Promise<void> {
  const boxes = await page.locator('.sections a').evaluateAll((links: Boxed[]) =>
    links.map((link) => {
      const { left, right } = link.getBoundingClientRect()
      return { left, right }
    }),
  )
  for (const { left, right } of boxes) assert.ok(left >= 8 && right <= 382, `${left} to ${right}`)
}

type Boxed = { getBoundingClientRect(): { readonly left: number; readonly right: number } }

/** Long hints do not press their checkboxes, and a date and time can be read as a whole. */
async function checkNarrowForm(page: Page): Promise<void> {
  const widths = (css: string): Promise<number[]> =>
    page
      .locator(css)
      .evaluateAll((all: { offsetWidth: number }[]) => all.map((one) => one.offsetWidth))
  assert.deepEqual(await widths('.check input'), [16, 16, 16, 16])
  for (const width of await widths('input[type="datetime-local"]')) {
    assert.ok(width >= dateTimeWidthMin, `${width} px`)
  }
}

/** With the dialogs that open over it. */
async function checkMarket(page: Page): Promise<void> {
  await untilLevels(page, 'bid', ['0.4000 10'])
  await fillTicket(page, { side: 'Buy', player: 'bob', shares: '3', price: '0.6' })
  await page.locator('.options summary').click()
  await page.getByRole('button', { name: 'Amend the order of ann' }).click()
  await check(page, 'a market')
  await page.getByRole('button', { name: 'Cancel market' }).click()
  await check(page, 'the dialog of a market')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.getByText('Go to the audit log').waitFor()
  await check(page, 'the shortcuts')
}

/** Checks all rules in the light theme; in the dark theme, those about colours. */
async function check(page: Page, name: string): Promise<void> {
  await page.evaluate("document.documentElement.dataset.theme = 'light'")
  assert.deepEqual(await violationsOf(new AxeBuilder({ page })), [], `${name}, light`)
  await page.evaluate("document.documentElement.dataset.theme = 'dark'")
  const ofColours = new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block'])
  assert.deepEqual(await violationsOf(ofColours), [], `${name}, dark`)
}

export async function violationsOf(axe: AxeBuilder): Promise<readonly string[]> {
  // Legacy mode opens no extra page for frames, which the console does not have. A few rows of
  // events are enough, and only violations are reported.
  axe.exclude('.events li:nth-child(n + 6)').options({ resultTypes: ['violations'] })
  const { violations } = await axe.setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}

async function storeSession(page: Page, session: object): Promise<void> {
  const stored = JSON.stringify(JSON.stringify(session))
  await page.evaluate(`sessionStorage.setItem('outcry.session', ${stored})`)
}

/** Something to see on every page. */
async function populate({ operator }: ConsoleFixture) {
  const market = await operator.marketWithHolders(
    { ann: 100 },
    { description: 'As the harbour master says.' },
  )
  await operator.sell(market, { price: 0.6, shares: 20 })
  await operator.buy(market, { price: 0.6, shares: 5, player: 'bob' })
  await operator.buy(market, { price: 0.4, shares: 10, player: 'bob' })
  await operator.post('/categories', { name: 'Harbours', slug: `harbours-${Date.now()}` })
  const url = 'http://127.0.0.1:9/not-listening'
  const { id: webhookId } = await operator.post('/webhooks', { url, description: 'Ledger' })
  return { market, webhookId }
}
