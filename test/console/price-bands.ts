// The price band of a market: in its forms, on its page, and what it does to orders.

import assert from 'node:assert/strict'
import { OperatorClient } from '../support/http/operator-client.ts'
import { checkLook } from './controls.ts'
import { act, type ConsoleFixture, fillTicket, place, ticket, untilStatus } from './fixture.ts'

const widths = [1440, 390]

export async function setPriceBand(fixture: ConsoleFixture): Promise<void> {
  for (const width of widths) {
    const operator = await OperatorClient.create(fixture.service)
    const page = await fixture.at('/markets/new', { key: operator.key, width })
    await page.getByLabel('Question', { exact: true }).fill('How far?')
    assert.equal(await page.getByLabel('Largest move').count(), 0)
    await page.getByLabel('Price band').press('Space')
    await page.getByRole('button', { name: 'Create market' }).press('Enter')
    await page.getByText('Enter the largest move of the price band.').waitFor()
    await page.getByLabel('Largest move', { exact: true }).press('ArrowUp')
    await page.getByText('From 0.50, one order trades between 0.40 and 0.60.').waitFor()
    await checkLook(page, 'the form of a market')
    await page.getByLabel('Largest move', { exact: true }).press('Enter')
    await untilStatus(page, 'Draft')
    await page.getByText('One order moves a price by at most 0.10.').waitFor()
    const id = page.url().split('/').at(-1)
    const stored = async () => (await operator.market({ id })).priceBand
    assert.deepEqual(await stored(), { maxMove: '0.1', suspendOnBand: false })
    await act(page, 'Open')
    await untilStatus(page, 'Open')

    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('its category, its public page and its price band').waitFor()
    assert.equal(await page.getByLabel('Largest move', { exact: true }).inputValue(), '0.1')
    await page.getByLabel('Suspend the market').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Beyond that, the market is suspended.').waitFor()
    assert.deepEqual(await stored(), { maxMove: '0.1', suspendOnBand: true })
    await checkLook(page, 'the page of a market')
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Price band').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await untilStatus(page, 'Open')
    await page.getByText('Price band').waitFor({ state: 'detached' })
    assert.equal(await stored(), null)

    await operator.act({ id }, 'close')
    const { outcomes } = await operator.market({ id })
    await operator.resolve({ id, outcomes })
    await page.goto(`${fixture.service.url}/console/markets/${id}/edit`)
    await page.getByText('only its category and its public page.').waitFor()
    assert.equal(await page.getByLabel('Price band').count(), 0)
    await page.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}

/** A market with a last price of 0.5, an ask within 0.1 of it, and one beyond. */
async function bandedMarket(operator: OperatorClient, suspendOnBand: boolean) {
  const market = await operator.marketWithHolders(
    { ann: 100 },
    { priceBand: { maxMove: 0.1, suspendOnBand } },
  )
  await operator.sell(market, { price: 0.5, shares: 1 })
  await operator.buy(market, { price: 0.5, shares: 1, player: 'cat' })
  await operator.sell(market, { price: 0.55, shares: 5 })
  await operator.sell(market, { price: 0.8, shares: 5 })
  return market
}

export async function explainPriceBand(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  const market = await bandedMarket(operator, false)
  const page = await fixture.at(`/markets/${market.id}`, { key: operator.key })
  await place(page, { side: 'Buy', player: 'bob', shares: '8', price: '0.9' })
  await ticket(page).getByText('it met only prices outside of the price band.').waitFor()
  await page.getByText('Traded 5 shares at 0.55 on average.').waitFor()
  await checkLook(page, 'the reason of a cancelled order')
  await fillTicket(page, { side: 'Buy', player: 'bob', shares: '3', price: '0.85' })
  const words = 'The order meets only prices outside of the price band. Nothing was traded.'
  await ticket(page).locator('.preview-note', { hasText: words }).waitFor()
  await ticket(page).locator('button[type=submit]').click()
  await ticket(page).getByRole('alert').filter({ hasText: words }).waitFor()
  await page.context().close()

  for (const width of widths) {
    const suspending = await bandedMarket(operator, true)
    const other = await fixture.at(`/markets/${suspending.id}`, { key: operator.key, width })
    await place(other, { side: 'Buy', player: 'bob', shares: '8', price: '0.9' })
    await untilStatus(other, 'Suspended')
    await other.getByText('because an order met prices outside of the price band').waitFor()
    await checkLook(other, 'a suspended market')
    await act(other, 'Resume')
    await untilStatus(other, 'Open')
    await act(other, 'Suspend', (dialog) => dialog.getByLabel('Reason').fill('The feed is down'))
    await other.getByText('Reason: The feed is down').waitFor()
    await other.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}
