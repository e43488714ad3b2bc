// A connection that breaks: pages show that they are stale, and find back by themselves.

import assert from 'node:assert/strict'
import { Line } from './line.ts'
import { patienceMs, type Scene, untilLevels, untilLive } from './scene.ts'

const banner = /The connection was lost at/

export async function surviveCut(scene: Scene): Promise<void> {
  const { operator, service } = scene
  const line = await Line.to(service.url)
  try {
    const market = await operator.openMarket()
    await operator.mint(market, 'ann', 100)
    const page = await scene.at(`/markets/${market.id}`, { url: line.url })
    await operator.sell(market, { price: 0.7, shares: 10 })
    await untilLevels(page, 'ask', ['0.7000 10'])

    line.cut()
    await page.getByText(banner).waitFor()
    assert.equal(await page.locator('.connection').textContent(), 'Stale')
    await operator.sell(market, { price: 0.65, shares: 5 })
    await operator.buy(market, { price: 0.7, shares: 8, player: 'bob' })
    line.mend()
    await untilLive(page)
    await untilLevels(page, 'ask', ['0.7000 7'])
    assert.equal(await page.getByText(banner).count(), 0)
    await page.locator('.tape tbody tr').getByText('5', { exact: true }).waitFor()
    await page
      .locator('.holdings tbody tr', { hasText: 'ann' })
      .getByText('7', { exact: true })
      .waitFor()
  } finally {
    await line.close()
  }
}

export async function noticeSilence(scene: Scene): Promise<void> {
  const { operator, service } = scene
  const line = await Line.to(service.url)
  try {
    const market = await operator.openMarket()
    const page = await scene.newPage()
    await page.clock.install()
    await scene.at(`/markets/${market.id}`, { url: line.url, page })
    line.silence()
    await page.clock.fastForward(20_000)
    await page.getByText(banner).waitFor()
    line.mend()
    await page.clock.fastForward(20_000)
    await untilLive(page)
  } finally {
    await line.close()
  }
}

export async function noticeLostUpdates(scene: Scene): Promise<void> {
  const { operator } = scene
  const market = await operator.openMarket()
  const page = await scene.newPage()
  const dropped: { readonly outcomeId: string; readonly version: number }[] = []
  let losing = false
  let say = (_message: object) => {}
  await page.routeWebSocket(/\/ws$/, (near) => {
    say = (message) => near.send(JSON.stringify(message))
    near.connectToServer().onMessage((message) => {
      const said = JSON.parse(String(message))
      if (losing && said.type === 'orderbook.update') dropped.push(said)
      else near.send(message)
    })
  })
  await scene.at(`/markets/${market.id}`, { page })
  await operator.buy(market, { price: 0.5, shares: 4 })
  await untilLevels(page, 'bid', ['0.5000 4'])
  losing = true
  await operator.buy(market, { price: 0.4, shares: 1 })
  await until(() => dropped.length === 1)
  losing = false
  await operator.buy(market, { price: 0.3, shares: 2 })
  await untilLevels(page, 'bid', ['0.5000 4', '0.4000 1', '0.3000 2'])
  losing = true
  await operator.buy(market, { price: 0.2, shares: 3 })
  await until(() => dropped.length === 2)
  // What the service would say every 10 seconds; the first might only have overtaken the update.
  const books = dropped.slice(1).map(({ outcomeId, version }) => ({ outcomeId, version }))
  for (let count = 0; count < 2; count += 1) say({ type: 'heartbeat', timestamp: 0, books })
  await untilLevels(page, 'bid', ['0.5000 4', '0.4000 1', '0.3000 2', '0.2000 3'])
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(isSo())
}
