// A market of 256 outcomes and a busy feed: one render a frame, no long tasks, and a list of events
// that can be held.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import type { Json } from '../support/process/outcry-process.ts'
import { type ConsoleFixture, timeoutMs } from './fixture.ts'

const outcomeCount = 256
/** Each order is an event and changes a price, and the book of an outcome. */
const ordersAtOnce = 10
const pauseMs = 100
const measuredMs = 3_000
/** Renders for other reasons than the feed: volumes and the record of the market. */
const otherRendersMax = 20

// Counts frames, changes of the outcomes and long tasks, from the start of the page on.
const counters = `{
  const seen = { frames: 0, renders: 0, messages: 0, tasks: [] }
  window.seen = seen
  const onFrame = () => { seen.frames += 1; requestAnimationFrame(onFrame) }
  requestAnimationFrame(onFrame)
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration)
  }).observe({ entryTypes: ['longtask'] })
  const Socket = window.WebSocket
  window.WebSocket = class extends Socket {
    constructor(...args) {
      super(...args)
      this.addEventListener('message', ({ data }) => {
        if (String(data).includes('"price"')) seen.messages += 1
      })
    }
  }
  window.countRenders = (css) => new MutationObserver(() => { seen.renders += 1 })
    .observe(document.querySelector(css), { subtree: true, childList: true, characterData: true })
}`

type Seen = { frames: number; renders: number; messages: number; tasks: number[] }

export async function renderOncePerFrame(
  fixture: ConsoleFixture,
  report: (line: string) => void,
): Promise<void> {
  const { operator, market } = await withManyOutcomes(fixture)
  const load = new Load(operator, market)
  for (const width of [1_440, 390]) {
    const page = await fixture.newPage({ width })
    await page.addInitScript(counters)
    await fixture.at(`/markets/${market.id}`, { page, key: operator.key })
    await page
      .locator('.outcomes tbody tr')
      .nth(outcomeCount - 1)
      .waitFor({ state: 'attached' })
    await load.start()
    await page.evaluate("countRenders('.outcomes tbody'); seen.tasks = []; seen.frames = 0")
    await page.evaluate('seen.messages = 0')
    await page.waitForTimeout(measuredMs).finally(() => load.stop())
    const seen = (await page.evaluate('seen')) as Seen
    const longest = Math.round(Math.max(0, ...seen.tasks))
    report(
      `${width} px: ${seen.messages} messages with prices, ${seen.frames} frames, ` +
        `${seen.renders} renders, longest task ${longest === 0 ? 'under 50' : longest} ms`,
    )
    assert.ok(seen.messages > 100, `${seen.messages} messages`)
    assert.ok(seen.renders > 5 && seen.renders <= seen.frames + otherRendersMax)
    // All have arrived in the end.
    await untilShown(page, load.last)
  }
}

export async function holdEvents(fixture: ConsoleFixture): Promise<void> {
  const { operator, market } = await withManyOutcomes(fixture)
  const load = new Load(operator, market)
  await load.start()
  try {
    for (const width of [1_440, 390]) {
      await holdAt(await fixture.at('/events', { key: operator.key, width }), width)
    }
  } finally {
    await load.stop()
  }
}

async function holdAt(page: Page, width: number): Promise<void> {
  const newest = page.locator('.event-sequence').first()
  await newest.waitFor()
  await page.getByRole('button', { name: 'Hold' }).click()
  const held = await newest.textContent()
  await page.getByRole('button', { name: /^Continue, [1-9]\d\d waiting$/ }).waitFor()
  assert.equal(await newest.textContent(), held)
  // Still at hand far down the list; it says when more wait than are kept.
  await page.locator('.event').last().scrollIntoViewIfNeeded()
  if (width > 1_000) await page.getByRole('button', { name: 'Continue, 500+ waiting' }).waitFor()
  assert.equal(await newest.textContent(), held)
  await page.keyboard.press('h')
  await page.getByRole('button', { name: 'Hold' }).waitFor()
  assert.ok(Number(await newest.textContent()) >= Number(held) + 100)
  assert.ok((await page.locator('.event').count()) <= 500)
  // Opening an event holds the list as well.
  await page.locator('.event summary').nth(3).click()
  await page.getByRole('button', { name: /^Continue/ }).waitFor()
  await page.locator('.event[open] pre').waitFor()
}

async function withManyOutcomes({ service }: ConsoleFixture) {
  const operator = await OperatorClient.create(service)
  const outcomes = Array.from({ length: outcomeCount }, (_, at) => ({ name: `Outcome ${at + 1}` }))
  return { operator, market: await operator.openMarket({ outcomes }) }
}

/** Places batches of orders, each with a new best price for its outcome, until it is stopped. */
class Load {
  readonly #operator: OperatorClient
  readonly #market: Json
  #isOn = false
  #running: Promise<void> = Promise.resolve()
  #count = 0
  /** The outcome and the price of the last order. */
  last = { name: '', price: '' }

  constructor(operator: OperatorClient, market: Json) {
    this.#operator = operator
    this.#market = market
  }

  async start(): Promise<void> {
    this.#isOn = true
    await this.#placeSome()
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isOn = false
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isOn) {
      const next = new Promise((resolve) => setTimeout(resolve, pauseMs))
      await this.#placeSome()
      await next
    }
  }

  async #placeSome(): Promise<void> {
    const orders = Array.from({ length: ordersAtOnce }, () => this.#next())
    await this.#operator.post('/orders/batch', { orders })
  }

  #next() {
    const { id: marketId, outcomes } = this.#market
    const outcome = outcomes[this.#count % outcomeCount]
    const price = ((10 + Math.floor(this.#count / outcomeCount)) / 1_000).toFixed(3)
    this.#count += 1
    this.last = { name: outcome.name, price }
    const order = { marketId, outcomeId: outcome.id, side: 'BUY', type: 'LIMIT' }
    return { ...order, playerId: 'ann', shares: 1, price: Number(price) }
  }
}

async function untilShown(page: Page, { name, price }: Load['last']): Promise<void> {
  const row = page
    .locator('.outcomes tbody tr')
    .filter({ has: page.getByRole('button', { name, exact: true }) })
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const shown = await row.locator('td.bid').textContent()
    if (Number(shown) === Number(price)) return
    if (Date.now() > deadline) assert.equal(shown, price)
    await page.waitForTimeout(50)
  }
}
