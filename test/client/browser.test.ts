// The package in a real browser, as plain JavaScript, against a running service. The page is of the
// service's own origin, for the service lets no other read its answers.

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
import { ClientScene, limit } from './scene.ts'

const patienceMs = 20_000
const root = fileURLToPath(new URL('../../', import.meta.url))

type Open = {
  readonly scene: ClientScene
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
    await open.scene.close()
    rmSync(open.folder, { recursive: true, force: true })
  })

  test('an order is placed, and a list is walked through page by page', async () => {
    const place = await open.scene.market()
    const answer = await run(open, { orders: [1, 2, 3].map((shares) => buy(place, shares)) })`
      const placed = []
      for (const order of given.orders) placed.push((await client.orders.place(order)).order)
      const walked = []
      const { marketId } = given.orders[0]
      for await (const { id } of client.orders.each({ marketId, limit: 2 })) walked.push(id)
      return { placed, walked }
    `
    const ids = answer.placed.map(({ id }: { id: string }) => id)
    assert.deepEqual(answer.walked, ids.toReversed())
    assert.match(answer.placed[0].transactionId, /^sdk-[0-9a-f]{32}$/)
    const stored = await open.scene.client.orders.get(ids[0])
    assert.deepEqual(stored, answer.placed[0])
  })

  test('a live book and the events of an order follow what others do', async () => {
    const place = await open.scene.market()
    const following = run(open, place)`
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
    await open.scene.client.orders.place(buy(place, 7))
    const { version } = await open.scene.client.marketData.orderBook(
      place.marketId,
      place.outcomeId,
    )
    assert.deepEqual(await following, {
      bids: [{ price: 0.5, shares: 7, orderCount: 1 }],
      version,
    })
  })

  test('a refusal is a typed error, with the id of its request', async () => {
    const place = await open.scene.market()
    const answer = await run(open, { ...buy(place, 1), price: 1.5 })`
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
  const scene = await ClientScene.open()
  const browser = await launchChromium()
  const page = await browser.newPage()
  const at = `${scene.service.url}/client/`
  await page.route(`${at}**`, (route) => {
    const body = readFileSync(join(folder, route.request().url().slice(at.length)))
    return route.fulfill({ contentType: 'text/javascript', body })
  })
  page.setDefaultTimeout(patienceMs)
  // Any document of the service gives its origin; the scripts are put beside it.
  await page.goto(`${scene.service.url}/health`)
  await page.evaluate(`import('${at}outcry.js').then((all) => { window.outcry = all })`)
  return { scene, browser, page, folder }
}

/** Runs JavaScript in the page: `client` has the operator's key, `given` is the value. */
function run({ page, scene }: Open, given: object) {
  return ([program]: TemplateStringsArray): Promise<Json> => {
    const options = `{ baseUrl: location.origin, apiKey: ${JSON.stringify(scene.apiKey)} }`
    return page.evaluate(`(async (given, client) => { ${program} })(
      ${JSON.stringify(given)}, new outcry.OutcryClient(${options}))`)
  }
}

function buy(place: Parameters<typeof limit>[0], shares: number) {
  return limit(place, 'BUY', { shares })
}
