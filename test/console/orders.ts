// Open orders: amended and cancelled; and orders with options.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type ConsoleFixture, fillTicket, ticket, untilLevels } from './fixture.ts'

export async function amendOrder(fixture: ConsoleFixture): Promise<void> {
  const { market, page } = await withOrders(fixture)
  const amend = page.getByRole('button', { name: 'Amend the order of bob for 10 Yes' })
  await amend.click()
  await page.getByLabel('New price').fill('1.5')
  await page.keyboard.press('Enter')
  const alert = page.locator('.holdings').getByRole('alert')
  await alert.filter({ hasText: 'This price is not valid' }).waitFor()
  await page.keyboard.press('Escape')
  assert.ok(await amend.evaluate((button) => button.matches(':focus')))

  await amend.press('Enter')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await showsWhole(page, 'Save 10 at 0.40')
    await showsWhole(page, 'Discard')
  }
  await page.getByLabel('New price').fill('0.45')
  await page.getByLabel('Remaining shares').fill('8')
  await page.keyboard.press('Enter')
  await untilLevels(page, 'bid', ['0.4500 8', '0.3000 5', '0.2000 1'])
  const { orders } = await fixture.operator.get(`/orders?marketId=${market.id}&playerId=bob`)
  const shown = orders.map(({ price, shares }: { price: string; shares: string }) => [
    price,
    shares,
  ])
  assert.deepEqual(shown.toSorted(), [
    ['0.3', '5'],
    ['0.45', '8'],
  ])
}

/** The button is within its list, and its words within the button. */
async function showsWhole(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  const list = await page.locator('.holdings .table-wrap').boundingBox()
  const box = await button.boundingBox()
  assert.ok(list !== null && box !== null)
  assert.ok(box.x + box.width <= list.x + list.width, `${name} is cut off by the list`)
  const excess = await button.evaluate(
    (shown: { scrollWidth: number; clientWidth: number }) => shown.scrollWidth - shown.clientWidth,
  )
  assert.ok(excess <= 0, `${name} is ${excess} px wider than its button`)
}

export async function cancelAllOrders(fixture: ConsoleFixture): Promise<void> {
  const { page } = await withOrders(fixture)
  const holdings = page.locator('.holdings')
  await holdings.getByLabel('Filter by player').fill('bob')
  await holdings.locator('tbody tr', { hasText: 'cat' }).waitFor({ state: 'detached' })
  await holdings.getByRole('button', { name: 'Cancel all' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel all open orders of bob?' })
  await dialog.getByText('2 orders in this market').waitFor()
  await dialog.getByRole('button', { name: 'Cancel orders' }).click()
  await untilLevels(page, 'bid', ['0.2000 1'])
  await holdings.getByText('No open orders of bob.').waitFor()
  await holdings.getByLabel('Filter by player').fill('')
  await holdings.locator('tbody tr', { hasText: 'cat' }).waitFor()
  await holdings.getByRole('button', { name: 'Cancel all' }).click()
  const all = page.getByRole('dialog', { name: 'Cancel all open orders of all players?' })
  assert.ok(await all.getByRole('button', { name: 'Cancel orders' }).isDisabled())
}

export async function placeWithOptions(fixture: ConsoleFixture): Promise<void> {
  const { market, page } = await withOrders(fixture)
  await fillTicket(page, { side: 'Buy', player: 'dan', shares: '3', price: '0.1' })
  const form = ticket(page)
  await form.getByText('Options', { exact: true }).click()
  await form.getByLabel('If it matches an own order').selectOption('CANCEL_OLDEST')
  await form.getByLabel('Expires').fill('2999-01-01T00:00')
  await form.getByLabel('Post only').check()
  await form.locator('button[type=submit]').click()
  await page.getByText('The order rests in the book: 3 shares.').waitFor()
  const { orders } = await fixture.operator.get(`/orders?marketId=${market.id}&playerId=dan`)
  const [{ postOnly, selfTradePrevention, expiresAt }] = orders
  assert.deepEqual([postOnly, selfTradePrevention], [true, 'CANCEL_OLDEST'])
  assert.match(expiresAt, /^(2998-12-31|2999-01-01)T/)
}

/** A market in which three players have open orders, and its page. */
async function withOrders(fixture: ConsoleFixture) {
  const { operator } = fixture
  const market = await operator.marketWithHolders({ ann: 100 })
  await operator.sell(market, { price: 0.6, shares: 20 })
  await operator.buy(market, { price: 0.4, shares: 10, player: 'bob' })
  await operator.buy(market, { price: 0.3, shares: 5, player: 'bob' })
  await operator.buy(market, { price: 0.2, shares: 1, player: 'cat' })
  const page = await fixture.at(`/markets/${market.id}`)
  await untilLevels(page, 'bid', ['0.4000 10', '0.3000 5', '0.2000 1'])
  return { market, page }
}
