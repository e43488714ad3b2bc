// The public page of a market, from its switch in the console to a frame in another site.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import type { ConsoleFixture } from './fixture.ts'
import { violationsOf } from './pages.ts'

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
      assert.deepEqual(await violationsOf(new AxeBuilder({ page })), [], `${theme}, ${width}`)
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

  const site = createServer((request, response) => {
    const path = request.url === '/embed' ? '/embed' : ''
    response.setHeader('content-type', 'text/html')
    response.end(`<iframe src="${address}${path}" width="390" height="480"></iframe>`)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  try {
    const { port } = site.address() as AddressInfo
    const page = await fixture.newPage()
    await page.goto(`http://localhost:${port}/embed`)
    await page.frameLocator('iframe').getByRole('heading', { name: title }).waitFor()
    const refused = page.waitForEvent('console', (message) =>
      /frame-ancestors/.test(message.text()),
    )
    await page.goto(`http://localhost:${port}/other`)
    await refused
    assert.equal(await page.frameLocator('iframe').getByRole('heading').count(), 0)
  } finally {
    site.close()
  }
  // The refused frame is the one violation of a policy.
  const others = fixture.pageErrors.filter((text) => !/frame-ancestors/.test(text))
  assert.deepEqual(others, [])
  fixture.pageErrors.length = 0
}
