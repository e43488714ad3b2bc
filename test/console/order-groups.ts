// Order groups on the page of a player: how much is filled, triggered and reset.

import assert from 'node:assert/strict'
import { OperatorClient, orderBody } from '../support/http/operator-client.ts'
import { checkLook } from './controls.ts'
import type { ConsoleFixture } from './fixture.ts'

export async function showOrderGroups(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  const market = await operator.openMarket()
  const reader = await operator.withKey({ scopes: ['read'] })
  const phone = await fixture.at('/players/ann', { key: reader.key, width: 390 })
  await phone.getByRole('heading', { name: 'Exposure' }).waitFor()
  assert.equal(await phone.getByRole('region', { name: 'Order groups' }).count(), 0)

  const body = { playerId: 'ann', limitShares: 1_500, windowMs: 60_000 }
  const { id } = await operator.post('/order-groups', body)
  const quote = orderBody(market, 'BUY', { player: 'ann', price: 0.4, shares: 10 })
  const { order } = await operator.post('/orders', { ...quote, orderGroupId: id })
  const shown = phone.getByRole('region', { name: 'Order groups' })
  await shown.getByText('0 of 1,500 shares').waitFor()
  assert.equal(await shown.getByRole('button').count(), 0, 'needs the scope trade')
  await checkLook(phone, 'order groups on a phone')
  await phone.context().close()

  const page = await fixture.at('/players/ann', { key: operator.key })
  const panel = page.getByRole('region', { name: 'Order groups' })
  await panel.getByRole('button', { name: 'Trigger' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Trigger an order group of ann?' })
  await dialog.getByText('Its open orders are cancelled').waitFor()
  await checkLook(page, 'the dialog of an order group')
  await dialog.getByRole('button', { name: 'Trigger' }).press('Enter')
  await panel.getByText('Triggered', { exact: true }).waitFor()
  assert.equal((await operator.get(`/orders/${order.id}`)).status, 'CANCELLED')
  await panel.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await panel.getByText('Active', { exact: true }).waitFor()
  assert.equal((await operator.get(`/order-groups/${id}`)).status, 'ACTIVE')
  assert.deepEqual(fixture.pageErrors, [])
}
