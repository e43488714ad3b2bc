// Dead-man switches of all players and of one: armed with the time left, triggered, and disarmed.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import { checkLook } from './controls.ts'
import type { ConsoleFixture } from './fixture.ts'

const longMs = 300_000
const shortMs = 1_000

export async function showDeadMan(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  const market = await operator.openMarket()
  const arm = (timeoutMs: number, more: object = {}) =>
    operator.put('/dead-man', { timeoutMs, ...more })
  const desktop = await fixture.at('/controls', { key: operator.key })
  const reader = await operator.withKey({ scopes: ['read', 'manage'] })
  const phone = await fixture.at('/players/ann', { key: reader.key, width: 390 })
  for (const page of [desktop, phone]) await panelOf(page).getByText('No switch').waitFor()

  await arm(longMs)
  await panelOf(desktop).getByText('Armed', { exact: true }).waitFor()
  await panelOf(phone).getByText('No switch').waitFor()
  // It goes down without a renewal.
  await panelOf(desktop)
    .getByText(/^29[0-8] s of 300 s$/)
    .waitFor()
  await checkLook(desktop, 'an armed switch')

  await operator.buy(market, { price: 0.2 })
  await arm(shortMs, { playerId: 'ann' })
  await panelOf(phone).getByText('Triggered', { exact: true }).first().waitFor()
  await panelOf(phone).getByText('Refused until it is armed again or disarmed').waitFor()
  assert.equal(await panelOf(phone).getByRole('button').count(), 0, 'needs the scope trade')
  await checkLook(phone, 'a triggered switch')
  assert.equal((await operator.tryOrder(market, 'BUY')).body.error.code, 'DEAD_MAN_TRIGGERED')

  const trader = await operator.withKey({ scopes: ['read', 'trade'] })
  await phone.context().close()
  const again = await fixture.at('/players/ann', { key: trader.key, width: 390 })
  await panelOf(again).getByRole('button', { name: 'Disarm' }).press('Enter')
  const dialog = again.getByRole('dialog', { name: 'Disarm the switch of ann?' })
  await dialog.getByText('Orders are accepted again').waitFor()
  await checkLook(again, 'the dialog')
  await dialog.getByRole('button', { name: 'Disarm' }).press('Enter')
  await panelOf(again).getByText('No switch is armed.').waitFor()
  assert.equal((await operator.tryOrder(market, 'BUY')).status, 201)
  assert.equal((await operator.get('/dead-man')).state, 'ARMED', 'that of all players stays')

  await panelOf(desktop).getByRole('button', { name: 'Disarm' }).click()
  await desktop.getByRole('dialog').getByText('A program that still runs').waitFor()
  await desktop.getByRole('dialog').getByRole('button', { name: 'Disarm' }).click()
  await panelOf(desktop).getByText('No switch is armed.').waitFor()
  assert.equal((await operator.request('GET', '/dead-man')).status, 404)
  assert.deepEqual(fixture.pageErrors, [])
}

function panelOf(page: Page) {
  return page.getByRole('region', { name: 'Dead-man switch' })
}
