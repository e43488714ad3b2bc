// The order ticket: typed numbers, keys, and orders that are placed twice by accident.

import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { adminKey } from '../support/process/outcry-process.ts'
import { type ConsoleFixture, fillTicket, ticket, timeoutMs, untilLevels } from './fixture.ts'

const ambiguous = '“1,000” can mean 1000 or 1. Type 1000 or 1.'

export async function refuseAmbiguousNumbers(fixture: ConsoleFixture): Promise<void> {
  const { operator, service } = fixture
  const market = await operator.marketWithHolders({ ann: 2_000 })
  for (const width of [1_440, 390]) {
    const page = await fixture.at(`/markets/${market.id}`, { width })
    await fillTicket(page, { side: 'Buy', player: 'bob', shares: '1,000', price: '0,5' })
    const form = ticket(page)
    const submit = form.locator('button[type=submit]')
    await form.getByText(ambiguous).waitFor()
    assert.ok(await submit.isDisabled())
    await form.getByText('Correct the number of shares.').waitFor()
    await form.getByLabel('Shares', { exact: true }).fill('1 000')
    await form.getByText('= 1,000', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Buy 1,000 at 0.50' }).waitFor()
    const sets = page.locator('.sets-ticket')
    await sets.getByLabel('Sets').fill('1.000')
    await sets.getByText('“1.000” can mean 1000 or 1.').waitFor()
    assert.ok(await sets.getByRole('button', { name: 'Mint sets' }).isDisabled())
    await sets.getByLabel('Sets').fill('1,000.5')
    await sets.getByRole('button', { name: 'Mint 1,000.5 sets' }).waitFor()
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.equal(excess, 0, `${width} px`)
    if (width > 1_000) continue
    await submit.click()
    await untilLevels(page, 'bid', ['0.5000 1,000'])
    await page.getByRole('button', { name: 'Amend the order of bob' }).click()
    await page.getByLabel('Remaining shares').fill('1,000')
    await page.locator('.holdings').getByText(ambiguous).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Remaining shares').fill('1,500.25')
    await page.getByRole('button', { name: 'Save 1,500.25 at 0.50' }).click()
    await untilLevels(page, 'bid', ['0.5000 1,500.25'])
  }
  const page = await fixture.signedIn(adminKey)
  await page.goto(`${service.url}/console/operators/${operator.id}`)
  await page.getByLabel('Fee in percent').fill('2%')
  await page.getByText('“2%” is not a number.').first().waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: '“2%” is not a number.' }).waitFor()
  await page.getByLabel('Fee in percent').fill('1,25')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The operator is saved.').waitFor()
  const { body } = await service.admin('GET', `/api/v1/admin/operators/${operator.id}`)
  assert.equal(Number(body.data.feePercent), 1.25)
  await service.admin('PATCH', `/api/v1/admin/operators/${operator.id}`, { feePercent: null })
}

export async function tradeByKeyboard(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const market = await operator.marketWithHolders({ ann: 40 })
  await operator.sell(market, { price: 0.6, shares: 15 })
  for (const width of [1_440, 390]) {
    const page = await fixture.at(`/markets/${market.id}`, { width })
    const form = ticket(page)
    await form.waitFor()
    const submit = form.locator('button[type=submit]')
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    // Each key and each Enter goes to the first field that is empty.
    await press('s')
    await untilFocused(form, 'Player')
    await form.getByText('Enter a player.').waitFor()
    assert.ok(await submit.isDisabled())
    await page.keyboard.type('ann')
    await press('Enter')
    await untilFocused(form, 'Shares')
    await form.getByText('Enter a number of shares.').waitFor()
    await form.getByRole('button', { name: 'Max: 25 can be sold' }).press('Enter')
    await untilValue(form, 'Shares', '25')
    await form.getByLabel('Shares', { exact: true }).focus()
    await press('ArrowDown', 'Shift+ArrowDown', 'ArrowUp')
    await untilValue(form, 'Shares', '15')
    await press('Enter')
    await untilFocused(form, 'Price')
    await press('ArrowUp', 'PageUp', 'ArrowUp', 'Shift+ArrowDown')
    await untilValue(form, 'Price', '0.6091')
    await form.getByLabel('Price up').click()
    await untilValue(form, 'Price', '0.6092')
    await form.getByRole('button', { name: 'Sell 15 at 0.6092' }).waitFor()
    // A price of the book is taken over, and all that is offered at it.
    await form.getByText('Buy', { exact: true }).click()
    await page.locator('.book-table .side.ask tr', { hasText: '0.60' }).click()
    await form.getByRole('button', { name: 'Max: 15 on offer' }).click()
    await form.getByRole('button', { name: 'Buy 15 at 0.60' }).waitFor()
  }
}

export async function placeOnce(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const market = await operator.openMarket()
  const page = await fixture.at(`/markets/${market.id}`)
  const placed = async () => (await operator.get(`/orders?marketId=${market.id}`)).total
  const note = ticket(page).getByText('This order was placed a moment ago.')
  await fillTicket(page, { side: 'Buy', player: 'bob', shares: '10', price: '0.4' })
  // The second click comes as soon as the button takes one.
  await page.evaluate(`{
    const button = document.querySelector('.order-ticket button[type=submit]')
    button.click()
    button.click()
    const again = () => (button.disabled ? requestAnimationFrame(again) : button.click())
    setTimeout(again)
  }`)
  await page.getByText('The order rests in the book: 10 shares.').waitFor()
  await note.waitFor()
  assert.equal(await placed(), 1)
  // Deliberately once more, after the second.
  await note.waitFor({ state: 'detached' })
  await ticket(page).getByLabel('Price', { exact: true }).press('Enter')
  await untilLevels(page, 'bid', ['0.4000 20'])
  assert.equal(await placed(), 2)
  // Another order is not a repetition. Enter that is held down places it once.
  await ticket(page).getByLabel('Price', { exact: true }).fill('0.3')
  for (let count = 0; count < 5; count += 1) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await untilLevels(page, 'bid', ['0.4000 20', '0.3000 10'])
  assert.equal(await placed(), 3)
}

async function untilFocused(form: Locator, name: string): Promise<void> {
  await form.getByLabel(name, { exact: true }).and(form.locator(':focus')).waitFor()
}

async function untilValue(form: Locator, name: string, value: string): Promise<void> {
  const field = form.getByLabel(name, { exact: true })
  const deadline = Date.now() + timeoutMs
  while ((await field.inputValue()) !== value) {
    if (Date.now() > deadline) assert.equal(await field.inputValue(), value)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
