// The brakes on all players of an operator and on the whole exchange, and the banner about them.

import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import { adminKey } from '../support/process/outcry-process.ts'
import type { ConsoleFixture } from './fixture.ts'

const widths = [1440, 390]

/** By keyboard, with the orders that it cancels; then without, and opened again. */
export async function haltTrading(fixture: ConsoleFixture): Promise<void> {
  for (const width of widths) {
    const operator = await OperatorClient.create(fixture.service)
    const market = await operator.marketWithHolders({ ann: 20 })
    const place = async () => {
      await operator.sell(market, { price: 0.7, shares: 5 })
      await operator.buy(market, { price: 0.3, shares: 5, player: 'bob' })
    }
    await place()
    const page = await fixture.at('/markets', { key: operator.key, width })
    await page.locator('.markets-table tbody tr').first().waitFor()
    assert.equal(await banner(page).count(), 0)
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    const panel = panelOf(page, 'All of your players')
    await panel.getByText('Trading is not restricted.').waitFor()

    const held = await holdAnswer(page)
    await panel.getByRole('button', { name: 'Halt trading' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Trading of all of your players' })
    const submit = dialog.getByRole('button', { name: 'Halt trading' })
    await checkLook(page, 'the dialog')
    await dialog.getByLabel('Reason').fill('A fault in the wallet')
    assert.ok(await submit.isDisabled(), 'the word is missing')
    await dialog.getByLabel('Until').fill('2020-01-01T12:00')
    await dialog.getByLabel(/Type HALT to confirm/).fill('halt')
    await page.keyboard.press('Enter')
    await dialog.getByText('The end must be in the future.').waitFor()
    assert.equal((await operator.get('/controls')).mode, 'OPEN')
    await dialog.getByLabel('Until').fill('2098-03-04T20:30')
    await dialog.getByLabel(/Type HALT to confirm/).press('Enter')
    await dialog.getByText('2 orders cancelled').waitFor()
    assert.ok(await submit.isDisabled(), 'it runs')
    held.release()
    await panel.getByText('Trading is halted. 2 orders were cancelled.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await panel.getByText('A fault in the wallet').waitFor()
    await panel.getByText(/Mar 04, 2098/).waitFor()
    const stored = await operator.get('/controls')
    assert.equal(stored.mode, 'HALTED')
    assert.equal(stored.reason, 'A fault in the wallet')
    assert.match(new Date(stored.until).toString(), /Mar 04 2098/)
    assert.equal((await open(operator)).total, 0)

    await page.getByRole('link', { name: 'Events' }).click()
    await banner(page).getByText('You have halted the trading of your players.').waitFor()
    await banner(page).getByText('A fault in the wallet').waitFor()
    await checkLook(page, 'the banner')
    await banner(page).getByRole('link', { name: 'Controls' }).click()
    await panel.getByRole('button', { name: 'Open trading' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Open trading' }).click()
    await panel.getByText('Trading is open.', { exact: true }).waitFor()
    await banner(page).waitFor({ state: 'detached' })

    await place()
    await panel.getByRole('button', { name: 'Reduce only' }).click()
    await dialog.getByLabel('Reason').fill('A doubt')
    await dialog.getByLabel('Cancel open BUY orders').uncheck()
    await dialog.getByRole('button', { name: 'Reduce only' }).click()
    await panel.getByText('Only reducing is allowed now. 0 orders were cancelled.').waitFor()
    await banner(page).getByText('You let your players only reduce positions.').waitFor()
    assert.equal((await open(operator)).total, 2)
    await checkLook(page, 'the panel')
    await page.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}

/** Of a key that may only read, and of one that may trade: both see it, as it changes. */
export async function showBrakesToOtherKeys(fixture: ConsoleFixture): Promise<void> {
  for (const scopes of [['read'], ['read', 'trade']]) {
    const operator = await OperatorClient.create(fixture.service)
    const { key } = await operator.withKey({ scopes })
    const page = await fixture.at('/controls', { key })
    const panel = panelOf(page, 'All of your players')
    await panel.getByText('Trading is not restricted.').waitFor()
    await operator.put('/controls', { mode: 'HALTED', reason: 'From elsewhere' })
    await banner(page).getByText('From elsewhere').waitFor()
    await panel.getByText('From elsewhere').waitFor()
    assert.equal(await panel.getByRole('button').count(), 0)
    await operator.put('/controls', { mode: 'OPEN' })
    await banner(page).waitFor({ state: 'detached' })
    await page.context().close()
  }
}

/** Of the administrator: on one operator, which is not told why, and on all. */
export async function haltAsAdministrator(fixture: ConsoleFixture): Promise<void> {
  const { service } = fixture
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  await operator.buy(market, { price: 0.3 })
  const page = await fixture.signedIn(adminKey)
  await page.goto(`${service.url}/console/operators/${operator.id}`)
  const ofOperator = panelOf(page, 'Trading controls')
  await ofOperator.getByRole('button', { name: 'Halt trading' }).click()
  await confirmHalt(page, 'An audit')
  await ofOperator.getByText('Trading is halted. 1 order was cancelled.').waitFor()
  const refused = await operator.tryOrder(market, 'BUY')
  assert.equal(refused.body.error.code, 'TRADING_RESTRICTED')
  await release(page, ofOperator)
  assert.equal((await operator.tryOrder(market, 'BUY')).status, 201)

  const watching = await fixture.at('/markets', { key: operator.key, width: 390 })
  try {
    await page.getByRole('link', { name: 'Controls' }).click()
    const ofAll = panelOf(page, 'The whole exchange')
    await ofAll.getByRole('button', { name: 'Halt trading' }).click()
    await confirmHalt(page, 'Maintenance')
    await ofAll.getByText('Trading is halted.').waitFor()
    await page.getByRole('link', { name: 'Operators' }).click()
    await banner(page).getByText('Trading on the whole exchange is halted.').waitFor()
    await checkLook(page, 'the banner of the administrator')
    await banner(watching).getByText('Trading on the exchange is halted.').waitFor()
    await banner(watching).getByText('Maintenance').waitFor()
    await banner(watching).getByRole('link', { name: 'Controls' }).click()
    const shown = panelOf(watching, 'The whole exchange')
    await shown.getByText('Maintenance').waitFor()
    assert.equal(await shown.getByRole('button').count(), 0)
    await checkLook(watching, 'the controls of the exchange')
    await banner(page).getByRole('link', { name: 'Controls' }).click()
    await release(page, ofAll)
    await banner(page).waitFor({ state: 'detached' })
    await banner(watching).waitFor({ state: 'detached' })
  } finally {
    await service.admin('PUT', '/api/v1/admin/controls', { mode: 'OPEN' })
  }
  assert.deepEqual(fixture.pageErrors, [])
}

function open(operator: OperatorClient) {
  return operator.get('/orders?status=PENDING')
}

function banner(page: Page): Locator {
  return page.locator('.mode-banner')
}

function panelOf(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

async function confirmHalt(page: Page, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByLabel(/Type HALT to confirm/).fill('HALT')
  await dialog.getByRole('button', { name: 'Halt trading' }).click()
}

async function release(page: Page, panel: Locator): Promise<void> {
  await panel.getByRole('button', { name: 'Open trading' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open trading' }).click()
  await panel.getByText('Trading is open.', { exact: true }).waitFor()
}

/** Keeps back the first answer to a change, as if there were many orders to cancel. */
async function holdAnswer(page: Page): Promise<{ readonly release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname.endsWith('/controls'),
    async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      const response = await route.fetch()
      await promise
      await route.fulfill({ response })
    },
  )
  return { release: resolve }
}

/** Not wider than the screen, and passes axe in both themes. */
export async function checkLook(page: Page, what: string): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(excess, 0, what)
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target).join()}`),
      [],
      `${what}, ${theme}`,
    )
  }
}
