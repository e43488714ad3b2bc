// Records of an operator: categories, and acknowledged payouts.

import assert from 'node:assert/strict'
import type { ConsoleFixture } from './fixture.ts'

export async function manageCategories(fixture: ConsoleFixture): Promise<void> {
  const page = await fixture.at('/categories')
  await page.getByLabel('Name', { exact: true }).fill('World Cup 2026')
  await page.getByLabel('Sort order').fill('3')
  await page.getByRole('button', { name: 'Add category' }).click()
  const row = page.locator('tbody tr', { hasText: 'World Cup 2026' })
  await row.getByText('world-cup-2026').waitFor()

  await page.getByLabel('Name', { exact: true }).fill('World Cup 2026')
  await page.getByRole('button', { name: 'Add category' }).click()
  await page.getByText('Another category already has this short name.').waitFor()

  await row.getByRole('button', { name: 'Edit World Cup 2026' }).click()
  await page.getByLabel('Name', { exact: true }).fill('World Cup')
  await page.getByLabel('Active').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  const edited = page.locator('tbody tr', { hasText: 'world-cup-2026' })
  await edited.getByText('Hidden').waitFor()
  const found = await fixture.operator.get('/categories?activeOnly=false')
  const [{ name, sortOrder, isActive }] = found
  assert.deepEqual([name, sortOrder, isActive], ['World Cup', 3, false])
}

export async function acknowledgePayouts(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const market = await operator.marketWithHolders({ ann: 10 })
  await operator.finish(market)
  const page = await fixture.at(`/markets/${market.id}`)
  const holdings = page.locator('.holdings')
  await holdings.getByText('Settlements', { exact: true }).click()
  const row = holdings.locator('tbody tr', { hasText: 'Yes' })
  const button = row.getByRole('button', { name: 'Acknowledge the payout of ann for Yes' })
  await button.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('ann is due 10.00 USD.').waitFor()
  await dialog.getByText('Failed', { exact: true }).click()
  await dialog.getByLabel('Transaction').fill('wallet-1')
  await dialog.getByLabel('Reason').fill('The wallet is closed.')
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await row.getByText('Failed').waitFor()
  await row.getByText('The wallet is closed.').waitFor()
  await page.getByText('1 failed').waitFor()

  await page.getByRole('button', { name: 'Retry failed settlements' }).click()
  await row.getByText('Completed').waitFor()
  await button.click()
  await dialog.getByLabel('Transaction').fill('wallet-2')
  await dialog.getByRole('button', { name: 'Acknowledge' }).click()
  await row.getByText('wallet-2').waitFor()
  const settlements = await operator.get(`/settlements?marketId=${market.id}`)
  const [yes] = market.outcomes
  const [paid] = settlements.filter(({ outcomeId }: { outcomeId: string }) => outcomeId === yes.id)
  assert.deepEqual([paid.status, paid.transactionId], ['COMPLETED', 'wallet-2'])
}
