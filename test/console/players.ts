// The page of a player: its value, orders, trades and settlements, at an address for any id; and
// what a settlement pays, before it is confirmed.

import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { OperatorClient, orderBody } from '../support/http/operator-client.ts'
import { act, type ConsoleFixture, untilStatus } from './fixture.ts'

const widths = [1440, 390]
/** The named players, and bob. */
const listed = 6

export async function showPlayers(fixture: ConsoleFixture): Promise<void> {
  const operator = await OperatorClient.create(fixture.service)
  const names = ['a/b%2F?x=1#y', 'Zoë 李 <b>', 'ann.b@example.com', '%', 'W'.repeat(120)]
  const market = await operator.openMarket()
  for (const name of names) {
    await operator.mint(market, name, 20)
    await operator.sell(market, { player: name, price: 0.6, shares: 10 })
    await operator.buy(market, { player: 'bob', price: 0.6, shares: 10 })
    await operator.buy(market, { player: name, price: 0.1, shares: 5 })
  }
  // So many that the page does not show the orders of bob that were matched.
  const orders = Array(50).fill(orderBody(market, 'BUY', { player: 'bob', price: 0.01, shares: 1 }))
  await operator.post('/orders/batch', { orders })
  await operator.request('DELETE', '/orders?playerId=bob')
  for (const width of widths) {
    const page = await fixture.at(`/markets/${market.id}`, { key: operator.key, width })
    for (const name of names) {
      await page.locator('.orders-table').getByRole('link', { name, exact: true }).first().click()
      await showsPlayer(page, name)
      assert.match(page.url(), /\/players\/[^/?#]+$/)
      await page.reload()
      await showsPlayer(page, name)
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(excess, 0, `${name} at ${width}`)
      await page.goBack()
      await page.locator('.orders-table a.player').first().waitFor()
    }
    await showsPlayers(page, fixture.service.url)
    await page.getByLabel('Player ID').fill('bob')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'bob', exact: true }).waitFor()
    await page
      .locator('[aria-label="Trades of the player"] tbody tr')
      .nth(names.length - 1)
      .waitFor()
    await showsRoles(page, width)
    await page.getByText('No settlements.').waitFor()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    for (const theme of ['light', 'dark']) await passesAxe(page, theme)
    await page.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}

/** bob came in, and bought from orders that rested; each paid 2 percent of 6. */
async function showsRoles(page: Page, width: number): Promise<void> {
  const row = page.locator('[aria-label="Trades of the player"] tbody tr').first()
  await row.getByText('Buy', { exact: true }).waitFor()
  const text = (await row.innerText()).replaceAll(/\s+/g, ' ')
  const roles = width < 760 ? 'Buyer taker, seller maker' : ' 10 Taker Fee 0.12 Maker Fee 0.12 '
  assert.ok(text.includes(roles), text)
}

/** The list: by the begin of the id, in the address, and a page at a time. */
async function showsPlayers(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console/players`)
  const rows = page.locator('[aria-label="Players"] tbody tr')
  await rows.nth(listed - 1).waitFor()
  await page.getByText(`1–${listed} of ${listed}`).waitFor()
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(excess, 0)
  for (const theme of ['light', 'dark']) await passesAxe(page, theme)
  await page.getByLabel('Player ID').fill('ann.')
  await page.getByText('1–1 of 1').waitFor()
  assert.match(page.url(), /\?search=ann\.$/)
  await page.reload()
  await page.getByText('1–1 of 1').waitFor()
  assert.equal((await rows.innerText()).replaceAll(/\s+/g, ' '), 'ann.b@example.com 2 1')
  await page.getByLabel('Player ID').fill('nobody')
  await page.getByText('No such player.').waitFor()
}

/** 10 shares of Yes and 20 of No, which have cost 15; 1 was realised. */
const payoutRows = ['Now, in USD\t16.00\t2.00', 'No\t20.00\t6.00', 'Yes\t10.00\t-4.00']

async function showsPlayer(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  // 10 shares of Yes at 0.6 and 20 of No at their cost; 10 were sold for 1 more than they cost.
  const value = page.getByRole('region', { name: 'Value' })
  await value.getByText('16.00').waitFor()
  await value.getByText('2.00').waitFor()
  await page.locator('[aria-label="Orders of the player"] tbody tr').nth(1).waitFor()
  const trade = page.locator('[aria-label="Trades of the player"] tbody tr').first()
  await trade.getByText('Sell', { exact: true }).waitFor()
  await page.locator('[aria-label="Positions of the player"] tbody tr').nth(1).waitFor()
  const payouts = page.locator('[aria-label="Payouts by the outcome that wins"] tbody tr')
  await payouts.nth(2).waitFor()
  const shown = await payouts.allInnerTexts()
  assert.deepEqual(
    shown.map((text) => text.replace(/^.*\n(.*)\n/, '$1')),
    payoutRows,
  )
}

export async function showWhatASettlementPays(fixture: ConsoleFixture): Promise<void> {
  for (const width of widths) {
    const owner = await OperatorClient.create(fixture.service)
    const guest = await OperatorClient.create(fixture.service)
    const market = await owner.openMarket({ shared: true })
    await owner.mint(market, 'ann', 7.5)
    await guest.mint(market, 'gus', 1_000)
    await owner.act(market, 'close')
    const page = await fixture.at(`/markets/${market.id}`, { key: owner.key, width })
    const shown = page.getByRole('region', { name: 'What it pays' })
    await act(page, 'Resolve', async (dialog) => {
      await dialog.getByLabel('Winning outcome').selectOption({ label: 'Yes' })
      await shown.getByText('Pays 1,007.50 USD to 4 positions.').waitFor()
      await shown.getByText(guest.id).waitFor()
      await dialog.getByText('Split payout').click()
      assert.equal(await shown.count(), 0)
      await dialog.getByLabel('Yes').fill('0.25')
      await dialog.getByLabel('No', { exact: true }).fill('0.75')
      await shown.getByText('251.875').waitFor()
      for (const theme of ['light', 'dark']) await passesAxe(page, theme)
      await dialog.getByLabel('Source').fill('The news')
      await dialog.getByLabel(/Type RESOLVE/).fill('RESOLVE')
    })
    await untilStatus(page, 'Resolved')
    await act(page, 'Settle', async (dialog) => {
      await shown.getByText('Pays 1,007.50 USD to 4 positions.').waitFor()
      await dialog.getByLabel(/Type SETTLE/).fill('SETTLE')
    })
    await untilStatus(page, 'Settled')
    const paid: { totalPayout: string }[] = await guest.get(`/settlements?marketId=${market.id}`)
    assert.deepEqual(paid.map(({ totalPayout }) => totalPayout).toSorted(), ['250', '750'])
    await page.context().close()
  }
}

async function passesAxe(page: Page, theme: string): Promise<void> {
  await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target).join()}`),
    [],
    theme,
  )
}
