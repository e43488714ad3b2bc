// Every page in both themes: no barrier that axe finds, nothing from elsewhere, a small first load.

import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { adminKey } from '../support/process/outcry-process.ts'
import { fillTicket, type Scene, untilLevels, untilLive } from './scene.ts'

const firstLoadMax = 200 * 1_024

export async function loadLittle(scene: Scene): Promise<void> {
  const { service } = scene
  const page = await scene.newPage()
  const asked: { readonly url: string; readonly bytes: Promise<number> }[] = []
  page.on('requestfinished', (request) => {
    const bytes = request.sizes().then((sizes) => sizes.responseBodySize)
    asked.push({ url: request.url(), bytes })
  })
  await page.goto(`${service.url}/console`, { waitUntil: 'networkidle' })
  await page.getByRole('heading', { name: 'Outcry console' }).waitFor()
  const sizes = await Promise.all(asked.map(({ bytes }) => bytes))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(total > 10_000 && total < firstLoadMax, `${total} bytes`)
  for (const { url } of asked) assert.ok(url.startsWith(service.url), url)
}

export async function haveNoBarriers(scene: Scene): Promise<void> {
  const { operator, service } = scene
  const { market, webhookId } = await lively(scene)
  const page = await scene.newPage()
  await page.goto(`${service.url}/console`)
  await check(page, 'sign in')
  await keep(page, { kind: 'operator', key: operator.key })
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
  await visit('/nowhere', '.lead')
  await open('/players', '.filters')
  await page.getByLabel('Player').fill('ann')
  await page.keyboard.press('Enter')
  await page.locator('.holdings tbody tr').first().waitFor()
  await check(page, 'a player')
  await open(`/markets/${market.id}`, '.book-table .side.bid tr:not(.empty)')
  await checkMarket(page)

  await keep(page, { kind: 'admin', key: adminKey })
  await visit('/operators', '.table tbody tr')
  await visit(`/operators/${operator.id}`, '.table tbody tr')
  assert.deepEqual(scene.complaints, [])
}

export async function fitPhones(scene: Scene): Promise<void> {
  const { operator, service } = scene
  const { market } = await lively(scene)
  const page = await scene.newPage({ width: 390 })
  await page.goto(`${service.url}/console`)
  await keep(page, { kind: 'operator', key: operator.key })
  const paths = ['/markets', '/markets/new', `/markets/${market.id}`, '/events', '/statistics']
  for (const path of [...paths, '/categories', '/webhooks', '/players']) {
    await page.goto(`${service.url}/console${path}`)
    await page.locator('h1').waitFor()
    await untilLive(page)
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.equal(excess, 0, path)
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
  await check(page, 'its dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await check(page, 'the keys')
}

/** All rules in the light; in the dark, those that colours decide. */
async function check(page: Page, name: string): Promise<void> {
  await page.evaluate("document.documentElement.dataset.theme = 'light'")
  assert.deepEqual(await barriers(new AxeBuilder({ page })), [], `${name}, light`)
  await page.evaluate("document.documentElement.dataset.theme = 'dark'")
  const ofColours = new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block'])
  assert.deepEqual(await barriers(ofColours), [], `${name}, dark`)
}

async function barriers(axe: AxeBuilder): Promise<readonly string[]> {
  // There are no frames, for which it would open a page of its own each time.
  // Of many rows that are alike, the first few tell; what passes is not asked for.
  axe.exclude('.events li:nth-child(n + 6)').options({ resultTypes: ['violations'] })
  const { violations } = await axe.setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}

async function keep(page: Page, session: object): Promise<void> {
  const kept = JSON.stringify(JSON.stringify(session))
  await page.evaluate(`sessionStorage.setItem('outcry.session', ${kept})`)
}

/** Something to see on every page. */
async function lively({ operator }: Scene) {
  const market = await operator.openMarket({ description: 'As the harbour master says.' })
  await operator.mint(market, 'ann', 100)
  await operator.sell(market, { price: 0.6, shares: 20 })
  await operator.buy(market, { price: 0.6, shares: 5, player: 'bob' })
  await operator.buy(market, { price: 0.4, shares: 10, player: 'bob' })
  await operator.post('/categories', { name: 'Harbours', slug: `harbours-${Date.now()}` })
  const url = 'http://127.0.0.1:9/nobody-listens'
  const { id: webhookId } = await operator.post('/webhooks', { url, description: 'Ledger' })
  return { market, webhookId }
}
