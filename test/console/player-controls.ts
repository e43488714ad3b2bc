// The brake on one player, on its page.

import assert from 'node:assert/strict'
import { OperatorClient } from '../support/http/operator-client.ts'
import { checkLook } from './controls.ts'
import type { ConsoleFixture } from './fixture.ts'

const widths = [1440, 390]
/** It needs encoding in addresses. */
const name = 'ann/b.1'

export async function haltPlayer(fixture: ConsoleFixture): Promise<void> {
  for (const width of widths) {
    const operator = await OperatorClient.create(fixture.service)
    const market = await operator.openMarket()
    const mint = (player: string) => operator.mint(market, player, 10)
    await mint(name)
    await operator.sell(market, { price: 0.8, shares: 5, player: name })
    await operator.buy(market, { price: 0.2, player: name })
    await operator.buy(market, { price: 0.2, player: 'bob' })
    const page = await fixture.at('/players', { key: operator.key, width })
    await page.getByRole('link', { name, exact: true }).click()
    const panel = page.getByRole('region', { name: 'Trading controls' })
    await panel.getByText('Trading is not restricted.').waitFor()
    const dialog = page.getByRole('dialog', { name: `Trading of ${name}` })

    await panel.getByRole('button', { name: 'Reduce only' }).click()
    await dialog.getByLabel('Reason').fill('Too fast')
    await dialog.getByLabel('Reason').press('Enter')
    await panel.getByText('Only reducing is allowed now. 1 order was cancelled.').waitFor()
    assert.equal(await codeOf(operator.tryOrder(market, 'BUY', { player: name })), refused)
    await mint('bob')
    await panel.getByText('Too fast').waitFor()

    await panel.getByRole('button', { name: 'Halt trading' }).click()
    assert.equal(await dialog.getByLabel('Reason').inputValue(), 'Too fast')
    await dialog.getByLabel('Reason').fill('A lost phone')
    await dialog.getByLabel('Until').fill('2097-05-06T07:08')
    await dialog.getByLabel('Cancel all open orders').uncheck()
    await dialog.getByLabel(/Type HALT/).fill('HALT')
    await checkLook(page, 'the dialog of a player')
    await dialog.getByLabel(/Type HALT/).press('Enter')
    await panel.getByText('Trading is halted. 0 orders were cancelled.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const controls = await operator.get(`/players/${encodeURIComponent(name)}/controls`)
    assert.deepEqual([controls.mode, controls.reason], ['HALTED', 'A lost phone'])
    await panel.getByText(/May 06, 2097/).waitFor()
    const { orders } = await operator.get('/orders?status=PENDING')
    assert.deepEqual(orders.map((order: Order) => order.side).toSorted(), ['BUY', 'SELL'])
    assert.equal(await page.locator('.mode-banner').count(), 0, 'others trade')
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    await checkLook(page, 'the page of a halted player')

    // Changed elsewhere, and seen by a key that only reads.
    const { key } = await operator.withKey({ scopes: ['read'] })
    const path = `/players/${encodeURIComponent(name).replaceAll('.', '%2E')}`
    const other = await fixture.at(path, { key, width })
    const seen = other.getByRole('region', { name: 'Trading controls' })
    await seen.getByText('A lost phone').waitFor()
    assert.equal(await seen.getByRole('button').count(), 0)
    await operator.put(`/players/${encodeURIComponent(name)}/controls`, { mode: 'OPEN' })
    for (const each of [panel, seen]) await each.locator('.status[data-tone=good]').waitFor()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page
      .getByRole('row', { name: /Controls of a player/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'View', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.context().close()
    await other.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}

type Order = { readonly side: string }

const refused = 'TRADING_RESTRICTED'

async function codeOf(answer: ReturnType<OperatorClient['tryOrder']>): Promise<string> {
  return (await answer).body.error?.code
}
