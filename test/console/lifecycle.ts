// The lifecycle of a market through the pages, in two browsers.

import assert from 'node:assert/strict'
import {
  act,
  type ConsoleFixture,
  fillTicket,
  place,
  ticket,
  untilLevels,
  untilLive,
  untilStatus,
} from './fixture.ts'

export async function runLifecycle(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const page = await fixture.signedIn(operator.key)
  await page.getByRole('link', { name: 'Create market' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Will the ferry run on Sunday?')
  await page.getByRole('button', { name: 'Create market' }).click()
  await untilStatus(page, 'Draft')
  await act(page, 'Open')
  await untilStatus(page, 'Open')
  await untilLive(page)

  const sets = page.locator('.sets-ticket')
  await sets.getByLabel('For player').fill('ann')
  await sets.getByLabel('Sets').fill('100')
  await sets.getByRole('button', { name: 'Mint 100 sets' }).click()
  await page.getByText('Minted 100 sets for 100.00 USD.').waitFor()

  const other = await fixture.signedIn(operator.key)
  await other.getByRole('link', { name: 'Will the ferry run on Sunday?' }).click()
  await untilLive(other)
  await place(page, { side: 'Sell', player: 'ann', shares: '40', price: '0.6' })
  await untilLevels(other, 'ask', ['0.6000 40'])
  const market = await operator.market({ id: page.url().split('/').at(-1) })
  await operator.sell(market, { price: 0.55, shares: 3 })
  await untilLevels(other, 'ask', ['0.6000 40', '0.5500 3'])
  await place(other, { side: 'Buy', player: 'bob', shares: '28', price: '0.6' })
  for (const each of [page, other]) {
    await untilLevels(each, 'ask', ['0.6000 15'])
    // One order makes two trades at the same time; both are shown.
    for (const shares of ['25', '3']) {
      await each.locator('.tape tbody tr').getByText(shares, { exact: true }).waitFor()
    }
  }

  await page.getByRole('button', { name: 'Cancel the order of ann for 40 Yes' }).click()
  await untilLevels(other, 'ask', [])
  await untilLevels(page, 'ask', [])

  await act(page, 'Close market')
  await untilStatus(other, 'Closed')
  await act(page, 'Resolve', async (dialog) => {
    await dialog.getByLabel('Winning outcome').selectOption({ label: 'Yes' })
    await dialog.getByLabel('Source').fill('The timetable')
    const button = dialog.getByRole('button', { name: 'Resolve' })
    assert.ok(await button.isDisabled(), 'requires its word')
    await dialog.getByLabel(/Type RESOLVE/).fill('resolve')
  })
  await untilStatus(page, 'Resolved')
  await act(page, 'Settle', (dialog) => dialog.getByLabel(/Type SETTLE/).fill('SETTLE'))
  await untilStatus(page, 'Settled')
  await page.getByText('3 of 3 positions · 100.00 of 100.00 USD').waitFor()
  await page.locator('.holdings').getByText('Settlements', { exact: true }).click()
  const bob = page.locator('.holdings tbody tr', { hasText: 'bob' })
  assert.match((await bob.textContent()) ?? '', /Yes28128\.00CompletedNot acknowledged/)
  await untilStatus(other, 'Settled')
  assert.deepEqual(fixture.pageErrors, [])
}

export async function showEvents(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  await operator.openMarket({ title: 'Before' })
  const page = await fixture.at('/events')
  await page.locator('.event', { hasText: 'Before' }).first().waitFor()
  await untilLive(page)
  await operator.createMarket({ title: 'Will it be seen at once?' })
  const event = page.locator('.event', { hasText: 'Will it be seen at once?' })
  await event.locator('summary').click()
  assert.match((await event.locator('pre').textContent()) ?? '', /"outcomes": \[/)
}

export async function previewOrder(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const market = await operator.marketWithHolders({ ann: 100 })
  await operator.sell(market, { price: 0.6, shares: 15 })
  const page = await fixture.at(`/markets/${market.id}`)
  await fillTicket(page, { side: 'Buy', player: 'bob', shares: '25', price: '0.7' })
  const preview = ticket(page).locator('.preview dl')
  await preview.getByText('15 at 0.6').waitFor()
  // 15 at 0.6 and 10 that rest at 0.7, each with 2 percent on top.
  const lines = ['Rests in the book10', 'Cost9.00 USD', 'Fee0.18 USD', 'Maximum cost16.32 USD']
  const text = (await preview.textContent()) ?? ''
  for (const line of lines) assert.ok(text.includes(line), text)
  await operator.sell(market, { price: 0.5, shares: 10 })
  await preview.getByText('25 at 0.56').waitFor()
  const { total } = await operator.get(`/orders?playerId=bob&marketId=${market.id}`)
  assert.equal(total, 0, 'a preview places nothing')
}
