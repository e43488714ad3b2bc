// Errors are explained in words that users understand.

import assert from 'node:assert/strict'
import { type ConsoleFixture, fillTicket, place, ticket, untilLive } from './fixture.ts'

export async function explainWrongKey(fixture: ConsoleFixture): Promise<void> {
  const page = await fixture.newPage()
  await page.goto(`${fixture.service.url}/console`)
  await page.getByLabel('Key', { exact: true }).fill('oc_live_not-a-key')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const text = await page.getByRole('alert').textContent()
  assert.match(text ?? '', /does not know this key. Check that you copied all of it/)
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
}

export async function explainKeysWithoutAccess(fixture: ConsoleFixture): Promise<void> {
  const { operator, service } = fixture
  const withoutRead = await operator.withKey({ scopes: ['trade'] })
  const page = await fixture.newPage()
  await page.goto(`${service.url}/console`)
  await page.getByLabel('Key', { exact: true }).fill(withoutRead.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  assert.match((await page.getByRole('alert').textContent()) ?? '', /it lacks the scope "read"/)

  const revoked = await operator.withKey({ scopes: ['read'] })
  const other = await fixture.signedIn(revoked.key)
  await untilLive(other)
  await service.admin('DELETE', `/api/v1/admin/operators/${operator.id}/keys/${revoked.keyId}`)
  await other.getByText(/revoked or has expired/).waitFor()
  await other.getByLabel('Key', { exact: true }).waitFor()
}

export async function explainRejectedOrders(fixture: ConsoleFixture): Promise<void> {
  const { operator, service } = fixture
  const market = await operator.openMarket()
  const page = await fixture.signedIn(operator.key)
  await page.goto(`${service.url}/console/markets/${market.id}`)
  await untilLive(page)
  const problem = ticket(page).getByRole('alert')
  const shows = async (pattern: RegExp) => {
    await problem.filter({ hasText: pattern }).waitFor()
  }
  await place(page, { side: 'Sell', player: 'ann', shares: '5', price: '0.5' })
  await shows(/does not have enough shares to sell/)
  await place(page, { side: 'Buy', player: 'ann', shares: '5' })
  await shows(/The book does not have enough matching orders/)
  // Within 0 and 1, and outside of what this exchange accepts.
  await fillTicket(page, { side: 'Buy', player: 'ann', shares: '5', price: '0.999' })
  await ticket(page).locator('.preview-note', { hasText: 'This price is not valid' }).waitFor()
  assert.ok(await ticket(page).locator('button[type=submit]').isDisabled())
  await operator.suspend(market)
  await page.getByText('Trading is paused.').waitFor()
  assert.equal(await ticket(page).count(), 0)
}
