// Limits of players: the defaults of the operator, those of one player, and how much it uses.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import { checkLook } from './controls.ts'
import { type ConsoleFixture, fillTicket, place, ticket } from './fixture.ts'

const widths = [1440, 390]

export async function limitPlayers(fixture: ConsoleFixture): Promise<void> {
  for (const width of widths) {
    const operator = await OperatorClient.create(fixture.service)
    const market = await operator.marketWithHolders({ ann: 20 })
    const page = await fixture.at('/controls', { key: operator.key, width })
    await setDefaults(page, operator)

    await page.goto(`${fixture.service.url}/console/players/ann`)
    const panel = page.getByRole('region', { name: 'Limits', exact: true })
    await panel.locator('.stat', { hasText: 'default' }).getByText('30.00').waitFor()
    await panel.getByText('20.00 of 30.00').waitFor()
    await checkLook(page, 'the limits of a player')
    await setOwn(page, operator)
    await panel.getByText('20.00 of 25.00').waitFor()
    await panel.locator('.use.ask', { hasText: '20 of 15 above the limit' }).first().waitFor()

    await page.goto(`${fixture.service.url}/console/markets/${market.id}`)
    const order = { side: 'Buy', player: 'ann', shares: '5', price: '0.4' } as const
    await fillTicket(page, order)
    const words = 'A limit of the player forbids this. Shares of one outcome would be 25'
    await ticket(page).locator('.preview-note', { hasText: words }).waitFor()
    await place(page, order)
    await ticket(page).getByRole('alert').filter({ hasText: words }).waitFor()
    await page.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}

/** What a change leaves alone stays: a brake keeps the limits, and limits keep the brake. */
export async function keepWhatStays(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  const market = await operator.marketWithHolders({ ann: 20 })
  await operator.sell(market, { price: 0.7, shares: 5 })
  const limits = { maxOrderCost: 12.5, maxMarketCost: null }
  await operator.put('/players/ann/controls', { mode: 'OPEN', limits })
  await operator.put('/controls', { mode: 'OPEN', playerDefaults: { maxMarketCost: 90 } })
  const page = await fixture.at('/players/ann', { key: operator.key })
  const brake = page.getByRole('region', { name: 'Trading controls' })
  await brake.getByRole('button', { name: 'Halt trading' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('A lost phone')
  await dialog.getByLabel('Cancel all open orders').uncheck()
  await dialog.getByLabel(/Type HALT/).fill('HALT')
  await dialog.getByRole('button', { name: 'Halt trading' }).click()
  await brake.getByText('Trading is halted. 0 orders were cancelled.').waitFor()
  const halted = await operator.get('/players/ann/controls')
  assert.deepEqual(halted.limits, { maxOrderCost: '12.5', maxMarketCost: null })

  await page.getByRole('button', { name: 'Change limits' }).click()
  const costs = dialog.getByRole('group', { name: 'Cost of one order', exact: true })
  assert.equal(await costs.getByLabel('At most').inputValue(), '12.5')
  await costs.getByLabel('At most').fill('')
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await dialog.getByText('Cost of one order: enter the limit.').waitFor()
  await costs.getByText('Default', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await dialog.waitFor({ state: 'detached' })
  const changed = await operator.get('/players/ann/controls')
  assert.deepEqual(
    [changed.mode, changed.reason, changed.limits],
    ['HALTED', 'A lost phone', { maxMarketCost: null }],
  )
  assert.equal((await operator.get('/orders?status=PENDING')).total, 1, 'the order stays')

  await page.goto(`${fixture.service.url}/console/controls`)
  await page.getByRole('button', { name: 'Reduce only' }).click()
  await dialog.getByLabel('Reason').fill('A doubt')
  await dialog.getByRole('button', { name: 'Reduce only' }).click()
  await page.getByText('Only reducing is allowed now.').waitFor()
  assert.equal((await operator.get('/controls')).playerDefaults.maxMarketCost, '90')

  const reader = await operator.withKey({ scopes: ['read', 'trade'] })
  const other = await fixture.at('/players/ann', { key: reader.key })
  await other
    .getByText('20 of')
    .or(other.getByText('Shares', { exact: true }))
    .first()
    .waitFor()
  assert.equal(await other.getByRole('button', { name: 'Change limits' }).count(), 0)
  assert.deepEqual(fixture.pageErrors, [])
}

/** By keyboard. */
async function setDefaults(page: Page, operator: OperatorClient): Promise<void> {
  const panel = page.getByRole('region', { name: 'Limits of each player' })
  await panel.getByText('No limit').nth(2).waitFor()
  await panel.getByRole('button', { name: 'Change limits' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Limits of each player' })
  await dialog.getByLabel('Cost in one market').fill('30')
  await checkLook(page, 'the dialog of the defaults')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await panel.getByText('30.00').waitFor()
  const { mode, playerDefaults } = await operator.get('/controls')
  assert.equal(mode, 'OPEN')
  assert.equal(playerDefaults.maxMarketCost, '30')
  assert.equal(playerDefaults.maxOrderCost ?? null, null)
}

/** By keyboard, too. */
async function setOwn(page: Page, operator: OperatorClient): Promise<void> {
  await page.getByRole('button', { name: 'Change limits' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Limits of ann' })
  const market = groupOf(dialog, 'Cost in one market')
  await market.getByLabel('Default: 30.00').press('ArrowLeft')
  await market.getByLabel('At most').fill('25')
  const shares = groupOf(dialog, 'Shares of one outcome')
  await shares.getByLabel('Default').press('ArrowRight')
  await shares.getByLabel('No limit').press('ArrowRight')
  await shares.getByLabel('At most').fill('15')
  await checkLook(page, 'the dialog of a player')
  await shares.getByLabel('At most').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const { limits } = await operator.get('/players/ann/controls')
  assert.deepEqual(limits, { maxOutcomeShares: '15', maxMarketCost: '25' })
}

function groupOf(dialog: Locator, name: string): Locator {
  return dialog.getByRole('group', { name, exact: true })
}
