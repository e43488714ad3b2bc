// Fee schedules: of an operator, set by the administrator, and of a market, set by its owner.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import { adminKey } from '../support/process/outcry-process.ts'
import { checkLook } from './controls.ts'
import { act, type ConsoleFixture, fillTicket, ticket, untilStatus } from './fixture.ts'

const widths = [1440, 390]

export async function setFeesOfOperator(fixture: ConsoleFixture): Promise<void> {
  const { service } = fixture
  const operator = await OperatorClient.create(service)
  const path = `/api/v1/admin/operators/${operator.id}`
  const stored = async () => (await service.admin('GET', path)).body.data
  const page = await fixture.signedIn(adminKey)
  await page.goto(`${service.url}/console/operators/${operator.id}`)
  const settings = page.getByRole('region', { name: 'Settings' })
  await settings.getByLabel('Fee in percent').fill('1.5')
  await settings.getByText('100 shares at 0.50: 0.75 as taker, 0.75 as maker.').waitFor()

  await settings.getByLabel('One rate').press('ArrowRight')
  await settings.getByText('A part of shares × price.').waitFor()
  await settings.getByLabel('Linear').press('ArrowRight')
  await settings.getByText('highest at 0.50').waitFor()
  await settings.getByLabel('Taker in percent').fill('7')
  await settings.getByText('100 shares at 0.50: 1.75 as taker, – as maker.').waitFor()
  await page.keyboard.press('Enter')
  await settings.getByRole('alert').getByText('Enter the fee of the maker; 0 for none.').waitFor()
  assert.equal((await stored()).feeSchedule, null)
  await settings.getByLabel('Maker in percent').fill('0,5')
  await settings.getByText('100 shares at 0.50: 1.75 as taker, 0.125 as maker.').waitFor()
  await checkLook(page, 'the fees of an operator')
  await page.keyboard.press('Enter')
  await page.getByText('The operator is saved.').waitFor()
  const { feePercent, feeSchedule } = await stored()
  assert.deepEqual(feeSchedule, { model: 'QUADRATIC', takerPercent: '7', makerPercent: '0.5' })
  assert.notEqual(feePercent, '1.5', 'it was not shown')

  await page.getByRole('link', { name: 'Operators' }).first().click()
  const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${operator.id}"]`) })
  await row.getByText('7% / 0.5% of p(1 - p)').waitFor()
  await row.getByRole('link').click()
  await settings.getByLabel('One rate').check()
  await settings.getByLabel('Fee in percent').fill('3')
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The operator is saved.').waitFor()
  assert.deepEqual([(await stored()).feePercent, (await stored()).feeSchedule], ['3', null])
  assert.deepEqual(fixture.pageErrors, [])
}

export async function setFeesOfMarket(fixture: ConsoleFixture): Promise<void> {
  for (const width of widths) {
    const operator = await OperatorClient.create(fixture.service)
    const page = await fixture.at('/markets/new', { key: operator.key, width })
    await page.getByLabel('Question', { exact: true }).fill('Who pays what?')
    const fees = page.getByRole('group', { name: 'Fees', exact: true })
    await fees.getByText('Your players pay the same as in other markets.').waitFor()
    await fees.getByLabel('Your usual fees').press('ArrowLeft')
    await fees.getByLabel('Taker in percent').fill('7')
    await fees.getByLabel('Maker in percent').fill('1')
    await fees.getByText('1.75 USD as taker, 0.25 USD as maker.').waitFor()
    await checkLook(page, 'the form of a market')
    await fees.getByLabel('Maker in percent').press('Enter')
    await untilStatus(page, 'Draft')
    await page.getByText('Quadratic: taker 7%, maker 1%.').waitFor()
    const id = page.url().split('/').at(-1) ?? ''

    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(await fees.getByLabel('Taker in percent').inputValue(), '7')
    await fees.getByLabel('Quadratic').press('ArrowLeft')
    await fees.getByText('3.50 USD as taker').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByText('Linear: taker 7%, maker 1%. For 100 shares at 0.50: 3.50 and 0.50 USD.')
      .waitFor()
    await checkLook(page, 'the page of a market')
    await act(page, 'Open')
    await untilStatus(page, 'Open')
    await showsFees(page, { operator, id })

    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('This market has opened.').waitFor()
    assert.equal(await fees.count(), 0)
    await page.goBack()
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await page.getByText('A copy of').waitFor()
    assert.equal(await fees.getByLabel('Maker in percent').inputValue(), '1')
    await fees.getByLabel('Your usual fees').check()
    await page.getByRole('button', { name: 'Create market' }).click()
    await untilStatus(page, 'Draft')
    const { markets } = await operator.get('/markets?limit=1')
    assert.equal(markets[0].feeSchedule, null)
    assert.equal(await rules(page).count(), 0)
    await page.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}

type Opened = { readonly operator: OperatorClient; readonly id: string }

/** In the preview of the ticket, as taker and as maker. */
async function showsFees(page: Page, { operator, id }: Opened): Promise<void> {
  const market = await operator.market({ id })
  await operator.mint(market, 'ann', 10)
  await operator.sell(market, { price: 0.5, shares: 10 })
  await fillTicket(page, { side: 'Buy', player: 'bob', shares: '20', price: '0.5' })
  const preview = ticket(page).locator('.preview dl')
  await preview.getByText('10 at 0.5').waitFor()
  // 7 percent of 5 as taker; the rest pays 1 percent as maker.
  for (const line of ['Fee0.35 USD', 'Maximum cost10.40 USD']) {
    const text = (await preview.textContent()) ?? ''
    assert.ok(text.includes(line), text)
  }
}

function rules(page: Page): Locator {
  return page.getByText('Fees of your players')
}
