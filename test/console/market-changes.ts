// Changes to a market that has opened, through its page.

import assert from 'node:assert/strict'
import { OperatorClient } from '../support/http/operator-client.ts'
import { act, type ConsoleFixture } from './fixture.ts'

const button = 'Change trading end'

export async function changeTradingEnd(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const market = await operator.openMarket({
    title: 'Will the match end in time?',
    tradingEndsAt: '2098-01-01T00:00:00Z',
    shared: true,
  })
  const page = await fixture.at(`/markets/${market.id}`)
  const actions = page.locator('.page-head')
  await act(page, button, async (dialog) => {
    const submit = dialog.locator('button[type=submit]')
    assert.ok(await submit.isDisabled(), 'needs another end and a reason')
    await dialog.getByLabel('Reason').fill('Extra time')
    assert.ok(await submit.isDisabled(), 'needs another end')
    await dialog.getByLabel('Trading ends').fill('2020-01-01T12:00')
    await submit.click()
    await dialog.getByText('Trading must end in the future.').waitFor()
    await dialog.getByLabel('Trading ends').fill('2099-03-04T20:30')
  })
  await page.locator('.stats').getByText('2099').waitFor()
  const [event] = await operator.events(`&marketId=${market.id}&eventType=MARKET_UPDATED`)
  assert.equal(event.payload.reason, 'Extra time')
  const ends = await page.evaluate((iso) => new Date(iso).toString(), event.payload.tradingEndsAt)
  assert.match(ends, /Mar 04 2099 20:30/, 'the local time of the user')

  await operator.act(market, 'close')
  await actions.getByRole('button', { name: 'Resolve' }).waitFor()
  assert.equal(await actions.getByRole('button', { name: button }).count(), 0, 'a closed market')

  const open = await operator.openMarket({ title: 'Whose is it?', shared: true })
  const trader = await operator.withKey({ scopes: ['read', 'trade'] })
  const guest = await OperatorClient.create(fixture.service)
  for (const { key } of [trader, guest]) {
    const other = await fixture.at(`/markets/${open.id}`, { key })
    const me = other.waitForResponse(/\/api\/v1\/me$/)
    await other.reload()
    await (await me).finished()
    await other.locator('.page-head').getByText('Whose is it?').waitFor()
    await other.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    assert.equal(await other.getByRole('button', { name: button }).count(), 0)
  }
}
