// Interrupted connections: pages show that their data is stale, and recover.

import assert from 'node:assert/strict'
import { type ConsoleFixture, timeoutMs, untilLevels, untilLive } from './fixture.ts'
import { NetworkLink } from './network-link.ts'

const banner = /The connection was lost at/

export async function showStaleData(fixture: ConsoleFixture): Promise<void> {
  const { operator, service } = fixture
  const link = await NetworkLink.to(service.url)
  try {
    const market = await operator.marketWithHolders({ ann: 100 })
    const page = await fixture.at(`/markets/${market.id}`, { url: link.url })
    await operator.sell(market, { price: 0.7, shares: 10 })
    await untilLevels(page, 'ask', ['0.7000 10'])

    link.cut()
    await page.getByText(banner).waitFor()
    assert.equal(await page.locator('.connection').textContent(), 'Stale')
    await operator.sell(market, { price: 0.65, shares: 5 })
    await operator.buy(market, { price: 0.7, shares: 8, player: 'bob' })
    link.restore()
    await untilLive(page)
    await untilLevels(page, 'ask', ['0.7000 7'])
    assert.equal(await page.getByText(banner).count(), 0)
    await page.locator('.tape tbody tr').getByText('5', { exact: true }).waitFor()
    await page
      .locator('.holdings tbody tr', { hasText: 'ann' })
      .getByText('7', { exact: true })
      .waitFor()
  } finally {
    await link.close()
  }
}

export async function detectSilence(fixture: ConsoleFixture): Promise<void> {
  const { operator, service } = fixture
  const link = await NetworkLink.to(service.url)
  try {
    const market = await operator.openMarket()
    const page = await fixture.newPage()
    await page.clock.install()
    await fixture.at(`/markets/${market.id}`, { url: link.url, page })
    link.silence()
    await page.clock.fastForward(20_000)
    await page.getByText(banner).waitFor()
    link.restore()
    await page.clock.fastForward(20_000)
    await untilLive(page)
  } finally {
    await link.close()
  }
}

export async function detectLostUpdates(fixture: ConsoleFixture): Promise<void> {
  const { operator } = fixture
  const market = await operator.openMarket()
  const page = await fixture.newPage()
  const dropped: { readonly outcomeId: string; readonly version: number }[] = []
  let isLossy = false
  let send = (_message: object) => {}
  await page.routeWebSocket(/\/ws$/, (near) => {
    send = (message) => near.send(JSON.stringify(message))
    near.connectToServer().onMessage((message) => {
      const parsed = JSON.parse(String(message))
      if (isLossy && parsed.type === 'orderbook.update') dropped.push(parsed)
      else near.send(message)
    })
  })
  await fixture.at(`/markets/${market.id}`, { page })
  await operator.buy(market, { price: 0.5, shares: 4 })
  await untilLevels(page, 'bid', ['0.5000 4'])
  isLossy = true
  await operator.buy(market, { price: 0.4, shares: 1 })
  await until(() => dropped.length === 1)
  isLossy = false
  await operator.buy(market, { price: 0.3, shares: 2 })
  await untilLevels(page, 'bid', ['0.5000 4', '0.4000 1', '0.3000 2'])
  isLossy = true
  await operator.buy(market, { price: 0.2, shares: 3 })
  await until(() => dropped.length === 2)
  // Heartbeats as the service sends them; the first one may only have overtaken the update.
  const books = dropped.slice(1).map(({ outcomeId, version }) => ({ outcomeId, version }))
  for (let count = 0; count < 2; count += 1) send({ type: 'heartbeat', timestamp: 0, books })
  await untilLevels(page, 'bid', ['0.5000 4', '0.4000 1', '0.3000 2', '0.2000 3'])
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!condition() && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(condition())
}
