// A service, a browser, and the actions of users in the console.

import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { build } from 'vite'
import { OperatorClient } from '../support/http/operator-client.ts'
import { launchChromium } from '../support/process/chromium.ts'
import { Service } from '../support/process/outcry-process.ts'

const root = fileURLToPath(new URL('../../console/', import.meta.url))
/** Long enough for a busy machine. */
export const timeoutMs = 20_000

export class ConsoleFixture {
  readonly service: Service
  readonly operator: OperatorClient
  readonly browser: Browser
  readonly #contexts: BrowserContext[] = []
  /** Script errors and violations of the content security policy. */
  readonly pageErrors: string[] = []

  private constructor(parts: { service: Service; operator: OperatorClient; browser: Browser }) {
    this.service = parts.service
    this.operator = parts.operator
    this.browser = parts.browser
  }

  static async open(): Promise<ConsoleFixture> {
    const browser = await launchChromium()
    try {
      await buildIfOutdated()
      const service = await Service.start({ env: { WEBHOOK_ALLOW_INSECURE: 'true' } })
      return new ConsoleFixture({
        service,
        browser,
        operator: await OperatorClient.create(service),
      })
    } catch (error) {
      await browser.close()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.service.stop()
  }

  /** Opens a page in a new browser context, without a session. */
  async newPage(options: { theme?: 'light' | 'dark'; width?: number } = {}): Promise<Page> {
    const { theme = 'light', width = 1440 } = options
    const context = await this.browser.newContext({
      colorScheme: theme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    })
    this.#contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(timeoutMs)
    page.on('pageerror', (error) => this.pageErrors.push(error.message))
    page.on('console', (message) => {
      const text = message.text()
      if (message.type() === 'error' && /Content Security Policy/.test(text)) {
        this.pageErrors.push(text)
      }
    })
    return page
  }

  /** Opens a page with the session of the operator, and waits until it is live. */
  async at(
    path: string,
    options: { page?: Page; url?: string; width?: number; key?: string } = {},
  ): Promise<Page> {
    const { url = this.service.url, key = this.operator.key, ...more } = options
    const page = options.page ?? (await this.newPage(more))
    const session = JSON.stringify({ kind: 'operator', key })
    await page.addInitScript(`sessionStorage.setItem('outcry.session', ${JSON.stringify(session)})`)
    await page.goto(`${url}/console${path}`)
    await untilLive(page)
    return page
  }

  /** Opens the console and signs in with the form. */
  async signedIn(key: string, url = this.service.url): Promise<Page> {
    const page = await this.newPage()
    await page.goto(`${url}/console`)
    await signIn(page, key)
    return page
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()))
  }
}

/** Builds the console again if a source is newer than the last build. */
async function buildIfOutdated(): Promise<void> {
  const builtAt = statSync(`${root}dist/index.html`, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['src/**/*', '../client/src/**/*', 'public/*', 'index.html', 'vite.config.ts']
  const newest = globSync(sources, { cwd: root }).map((path) => statSync(root + path).mtimeMs)
  if (Math.max(...newest) < builtAt) return
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

export async function untilLive(page: Page): Promise<void> {
  await page.locator('.connection[data-state=live]').waitFor()
}

export type Order = {
  readonly side: 'Buy' | 'Sell'
  readonly player: string
  readonly shares: string
  /** Absent for a MARKET order. */
  readonly price?: string
}

export function ticket(page: Page): Locator {
  return page.locator('.order-ticket')
}

export async function fillTicket(page: Page, order: Order): Promise<void> {
  const form = ticket(page)
  await form.getByText(order.side, { exact: true }).click()
  await form.getByText(order.price === undefined ? 'Market' : 'Limit', { exact: true }).click()
  await form.getByLabel('Player').fill(order.player)
  await form.getByLabel('Shares', { exact: true }).fill(order.shares)
  if (order.price !== undefined) await form.getByLabel('Price', { exact: true }).fill(order.price)
}

export async function place(page: Page, order: Order): Promise<void> {
  await fillTicket(page, order)
  await ticket(page).locator('button[type=submit]').click()
}

/** The displayed levels of one side of the book, from the top down: "0.6000 40". */
export async function levels(page: Page, side: 'ask' | 'bid'): Promise<readonly string[]> {
  const rows = page.locator(`.book-table .side.${side} tr:not(.empty)`)
  const cells = await rows.evaluateAll((found) =>
    found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
  )
  return cells.map(([price = '', shares = '']) => `${price} ${shares}`)
}

/** Waits until a side of the book shows exactly these levels. */
export async function untilLevels(
  page: Page,
  side: 'ask' | 'bid',
  expected: readonly string[],
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const shown = await levels(page, side)
    if (shown.join() === expected.join()) return
    if (Date.now() > deadline) assert.deepEqual(shown, expected)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Clicks a button of the market, fills its dialog, and confirms. */
export async function act(
  page: Page,
  button: string,
  fill: (dialog: Locator) => Promise<void> = async () => {},
): Promise<void> {
  await page.locator('.page-head').getByRole('button', { name: button, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await fill(dialog)
  await dialog.locator('button[type=submit]').click()
  await dialog.waitFor({ state: 'detached' })
}

export async function untilStatus(page: Page, status: string): Promise<void> {
  await page.locator('.page-head .status').getByText(status, { exact: true }).waitFor()
}
