// The built package in a real browser, against a running service. The page has the origin of the
// service, because the service sends no CORS headers.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, whyNoChromium } from '../support/process/chromium.ts'
import type { Json } from '../support/process/outcry-process.ts'
import { ClientFixture, limit } from './fixture.ts'

const timeoutMs = 20_000
const root = fileURLToPath(new URL('../../', import.meta.url))

type Open = {
  readonly fixture: ClientFixture
  readonly browser: Browser
  readonly page: Page
  readonly folder: string
}

suite('the client in a browser', { skip: whyNoChromium('the client in a browser') }, () => {
  let open: Open
  before(async () => {
    open = await openPage()
  })
  after(async () => {
    await open.browser.close()
    await open.fixture.close()
    rmSync(open.folder, { recursive: true, force: true })
  })

  test('places orders and iterates over a list page by page', async () => {
    const market = await open.fixture.market()
    const answer = await run(open, { orders: [1, 2, 3].map((shares) => buy(market, shares)) })`
      const placed = []
      for (const order of given.orders) placed.push((await client.orders.place(order)).order)
      const listed = []
      const { marketId } = given.orders[0]
      for await (const { id } of client.orders.each({ marketId, limit: 2 })) listed.push(id)
      return { placed, listed }
    `
    const ids = answer.placed.map(({ id }: { id: string }) => id)
    assert.deepEqual(answer.listed, ids.toReversed())
    assert.match(answer.placed[0].transactionId, /^sdk-[0-9a-f]{32}$/)
    const stored = await open.fixture.client.orders.get(ids[0])
    assert.deepEqual(stored, answer.placed[0])
  })

  test('follows a live book and events that others cause', async () => {
    const market = await open.fixture.market()
    const following = run(open, market)`
      const stream = client.stream()
      try {
        const book = await stream.liveBook(given.marketId, given.outcomeId).ready()
        const events = stream.events({ since: 0 })
        window.isFollowing = true
        for await (const { eventType, payload } of events) {
          if (eventType === 'ORDER_PLACED' && payload.marketId === given.marketId) break
        }
        for await (const { bids, version } of book) if (bids.length > 0) return { bids, version }
      } finally {
        stream.close()
      }
    `
    await open.page.waitForFunction('window.isFollowing === true')
    await open.fixture.client.orders.place(buy(market, 7))
    const { version } = await open.fixture.client.marketData.orderBook(
      market.marketId,
      market.outcomeId,
    )
    assert.deepEqual(await following, {
      bids: [{ price: 0.5, shares: 7, orderCount: 1 }],
      version,
    })
  })

  test('throws a typed error with the request id for a rejected order', async () => {
    const market = await open.fixture.market()
    const answer = await run(open, { ...buy(market, 1), price: 1.5 })`
      try {
        await client.orders.place(given)
      } catch (error) {
        const isOurs = outcry.isOutcryError(error, 'ORDER_INVALID_PRICE')
        return { isOurs, status: error.status, requestId: error.requestId }
      }
    `
    assert.deepEqual({ ...answer, requestId: '' }, { isOurs: true, status: 400, requestId: '' })
    assert.ok(answer.requestId.length > 0)
  })
})

async function openPage(): Promise<Open> {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-browser-'))
  const tsc = join(root, 'node_modules/.bin/tsc')
  execFileSync(tsc, ['--project', join(root, 'client'), '--outDir', folder])
  const fixture = await ClientFixture.open()
  const browser = await launchChromium()
  const page = await browser.newPage()
  const at = `${fixture.service.url}/client/`
  await page.route(`${at}**`, (route) => {
    const body = readFileSync(join(folder, route.request().url().slice(at.length)))
    return route.fulfill({ contentType: 'text/javascript', body })
  })
  page.setDefaultTimeout(timeoutMs)
  // Any page of the service has its origin; the route above adds the scripts.
  await page.goto(`${fixture.service.url}/health`)
  await page.evaluate(`import('${at}outcry.js').then((all) => { window.outcry = all })`)
  return { fixture, browser, page, folder }
}

/** Runs JavaScript in the page; `client` has the operator's key, `given` is the argument. */
function run({ page, fixture }: Open, given: object) {
  return ([program]: TemplateStringsArray): Promise<Json> => {
    const options = `{ baseUrl: location.origin, apiKey: ${JSON.stringify(fixture.apiKey)} }`
    return page.evaluate(`(async (given, client) => { ${program} })(
      ${JSON.stringify(given)}, new outcry.OutcryClient(${options}))`)
  }
}

function buy(market: Parameters<typeof limit>[0], shares: number) {
  return limit(market, 'BUY', { shares })
}
