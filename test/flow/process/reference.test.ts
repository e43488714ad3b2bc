// The reference at /docs in a real browser, under its content security policy.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, whyNoChromium } from '../../support/process/chromium.ts'
import { Service } from '../../support/process/outcry-process.ts'

const timeoutMs = 30_000
let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

test('the policy of the page allows nothing inline but styles with its nonce', async () => {
  const nonces = new Set<string>()
  for (let round = 0; round < 3; round += 1) {
    const response = await fetch(`${service.url}/docs/`)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.doesNotMatch(policy, /unsafe/)
    const nonce = /style-src 'nonce-([\w-]{22})';/.exec(policy)?.[1] ?? ''
    assert.ok((await response.text()).includes(`nonce="${nonce}"`))
    assert.equal(response.headers.get('cache-control'), 'no-store')
    nonces.add(nonce)
  }
  assert.equal(nonces.size, 3)
})

suite('the reference', { skip: whyNoChromium('the reference in a browser') }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser.close())

  test('shows routes and their examples without a violation of its policy', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(timeoutMs)
    const faults = await faultsOf(page)
    await page.goto(`${service.url}/docs`)
    await page.getByRole('heading', { name: 'Outcry', exact: true }).waitFor()
    await page
      .getByRole('button', { name: /Orders/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Place an order', exact: true }).waitFor()
    await page.locator('code.language-curl').first().waitFor()
    assert.match(String(await page.evaluate(lineCount)), /^\d+$/, 'styles in HTML are applied')
    assert.doesNotMatch(String(await page.evaluate(font)), /Times/, 'style sheets are applied')
    const heights = String(await page.evaluate(codeHeights))
      .split(',')
      .map(Number)
    assert.ok(heights.length > 30 && heights.every((height) => height < twoLines), `${heights}`)
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    assert.deepEqual(faults(), [])
  })
})

// Texts, because the tests know no types of a page.
const lineCount =
  "document.querySelector('code.language-curl').style.getPropertyValue('--line-count')"
/** Of the texts in the first column of the table of errors. */
const codeHeights = `[...document.querySelectorAll('.markdown td:first-child')].map((cell) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  return range.getBoundingClientRect().height
}).join()`
const twoLines = 36
const font = "getComputedStyle(document.querySelector('#app h1')).fontFamily"

/** Errors of scripts and violations of the policy. */
async function faultsOf(page: Page): Promise<() => readonly string[]> {
  const found: string[] = []
  page.on('pageerror', ({ message }) => found.push(message))
  page.on('console', (message) => {
    const isFault = /^violation: |Content Security Policy|Failed to load/.test(message.text())
    if (isFault) found.push(message.text())
  })
  // The viewer checks whether it may compile code, and does without.
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI } = event
    if (blockedURI !== 'eval') console.log('violation: ' + effectiveDirective + ' ' + blockedURI)
  })`)
  return () => found
}
