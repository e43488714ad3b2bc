// The public page of a market, from its switch in the console to prices that follow trades.

import assert from 'node:assert/strict'
import type { ConsoleFixture } from './fixture.ts'

export async function publishMarket(fixture: ConsoleFixture): Promise<void> {
  const { operator, service } = fixture
  const title = 'Will "it" <b>rain</b>?'
  const market = await operator.marketWithHolders({ ann: 100 }, { title })
  const console = await fixture.at(`/markets/${market.id}`)
  assert.equal(await console.getByRole('link', { name: 'Public page' }).count(), 0)
  await console.getByRole('link', { name: 'Edit' }).click()
  await console.getByLabel(/^Public page/).check()
  await console.getByRole('button', { name: 'Save' }).click()
  const link = console.getByRole('link', { name: 'Public page' })
  const address = (await link.getAttribute('href')) ?? ''
  assert.equal(address, `${service.url}/m/${market.id}`)

  for (const width of [390, 1440]) {
    for (const theme of ['light', 'dark'] as const) {
      const page = await fixture.newPage({ width, theme })
      await page.goto(address)
      await page.getByRole('heading', { name: title }).waitFor()
      const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(scrollWidth <= width, `${scrollWidth} at ${width}`)
      if (width === 1440) continue
      const before = await page.locator('td').allTextContents()
      assert.deepEqual(before.slice(0, 2), theme === 'light' ? ['–', '–'] : ['–', '0.64'])
      const { order } = await operator.sell(market, { price: 0.64, shares: 5 })
      if (theme === 'light') {
        await page.locator('[data-ask]', { hasText: '0.64' }).waitFor()
        continue
      }
      await operator.buy(market, { player: 'bob', price: 0.64, shares: 10 })
      await page.locator('[data-chance]', { hasText: '64.0%' }).waitFor()
      assert.ok(order.id)
      // What the script shows is what the server shows.
      const renewed = await page.locator('td').allTextContents()
      await page.reload()
      assert.deepEqual(await page.locator('td').allTextContents(), renewed)
    }
  }
  assert.deepEqual(fixture.pageErrors, [])
}
