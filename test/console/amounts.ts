// Orders by amount on the ticket: how much is spent, and what is left.

import assert from 'node:assert/strict'
import { OperatorClient } from '../support/http/operator-client.ts'
import { checkLook } from './controls.ts'
import { type ConsoleFixture, fillTicket, ticket } from './fixture.ts'

const widths = [1440, 390]

/** By keyboard: 5 at 0.5, then as many at 0.6 as the rest pays with its fee of 2 percent. */
export async function spendAmount(fixture: ConsoleFixture): Promise<void> {
  for (const width of widths) {
    const operator = await OperatorClient.create(fixture.service)
    const market = await operator.marketWithHolders({ ann: 20 })
    await operator.sell(market, { price: 0.5, shares: 5 })
    await operator.sell(market, { price: 0.6, shares: 10 })
    const page = await fixture.at(`/markets/${market.id}`, { key: operator.key, width })
    const form = ticket(page)
    const choice = form.getByLabel('By amount')
    await fillTicket(page, { side: 'Buy', player: 'bob', shares: '3', price: '0.7' })
    assert.equal(await choice.count(), 0, 'an order that may rest')
    await form.getByLabel('Limit', { exact: true }).press('ArrowRight')
    await form.getByLabel('By shares').press('ArrowRight')
    const amount = form.getByLabel('Amount in USD', { exact: true })
    await amount.fill('0.001')
    await form.getByText('An amount is at least 0.01.').waitFor()
    await amount.fill('5')
    await form.getByRole('button', { name: 'Buy for 5 at the best price' }).waitFor()
    const preview = form.locator('.preview dl')
    await preview.getByText(/^9 at 0\.54/).waitFor()
    await preview.getByText('Left of the amount').waitFor()
    await checkLook(page, 'the ticket')
    await amount.press('Enter')
    // 2.55 for the first 5, and 2.448 for 4 at 0.612.
    await page.getByText('Spent 4.998 USD; 0.002 USD is left.').waitFor()
    const { orders } = await operator.get('/orders?playerId=bob')
    assert.deepEqual([orders[0].amount, orders[0].shares], ['5', '9'])

    await form.getByText('Limit', { exact: true }).click()
    assert.equal(await choice.count(), 0)
    await form.getByText('Options', { exact: true }).click()
    await form.getByLabel('Time in force').selectOption('IOC')
    await amount.fill('1')
    await form.getByLabel('Price', { exact: true }).fill('0.6')
    await form.getByRole('button', { name: 'Buy for 1 at up to 0.60' }).click()
    await page.getByText(/Traded 1\.63 shares at 0\.6 on average\. Spent 0\.99756 USD/).waitFor()
    await form.getByText('Sell', { exact: true }).click()
    assert.equal(await choice.count(), 0)
    await page.goto(`${fixture.service.url}/console/players/bob`)
    await page.getByText('for up to 5.00').waitFor()
    await checkLook(page, 'orders by amount')
    await page.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}
