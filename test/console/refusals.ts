// What is refused is said in words that a person understands.

import assert from 'node:assert/strict'
import { place, type Scene, ticket, untilLive } from './scene.ts'

export async function explainWrongKey(scene: Scene): Promise<void> {
  const page = await scene.newPage()
  await page.goto(`${scene.service.url}/console`)
  await page.getByLabel('Key', { exact: true }).fill('oc_live_not-a-key')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const said = await page.getByRole('alert').textContent()
  assert.match(said ?? '', /does not know this key. Check that you copied all of it/)
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
}

export async function explainWeakKeys(scene: Scene): Promise<void> {
  const { operator, service } = scene
  const blind = await operator.withKey({ scopes: ['trade'] })
  const page = await scene.newPage()
  await page.goto(`${service.url}/console`)
  await page.getByLabel('Key', { exact: true }).fill(blind.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  assert.match((await page.getByRole('alert').textContent()) ?? '', /it lacks the scope "read"/)

  const brief = await operator.withKey({ scopes: ['read'] })
  const other = await scene.signedIn(brief.key)
  await untilLive(other)
  await service.admin('DELETE', `/api/v1/admin/operators/${operator.id}/keys/${brief.keyId}`)
  await other.getByText(/revoked or has expired/).waitFor()
  await other.getByLabel('Key', { exact: true }).waitFor()
}

export async function explainRefusedOrders(scene: Scene): Promise<void> {
  const { operator, service } = scene
  const market = await operator.openMarket()
  const page = await scene.signedIn(operator.key)
  await page.goto(`${service.url}/console/markets/${market.id}`)
  await untilLive(page)
  const problem = ticket(page).getByRole('alert')
  const said = async (pattern: RegExp) => {
    await problem.filter({ hasText: pattern }).waitFor()
  }
  await place(page, { side: 'Sell', player: 'ann', shares: '5', price: '0.5' })
  await said(/does not have enough shares to sell/)
  await place(page, { side: 'Buy', player: 'ann', shares: '5' })
  await said(/The book does not have enough matching orders/)
  await place(page, { side: 'Buy', player: 'ann', shares: '5', price: '1.5' })
  await said(/This price is not valid/)
  await operator.suspend(market)
  const button = ticket(page).getByRole('button', { name: 'Not open for orders' })
  await button.waitFor()
  assert.ok(await button.isDisabled())
}
