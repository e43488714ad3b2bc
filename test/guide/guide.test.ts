// The guide in a browser: navigation, search, the keyboard, narrow screens, and no violation that
// axe finds on any kind of page.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, afterEach, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { groups } from '../../guide/pages.ts'
import { launchChromium, untilTrue, whyNoChromium } from '../support/process/chromium.ts'
import { Service } from '../support/process/outcry-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const timeoutMs = 20_000

type Look = { theme?: 'light' | 'dark'; width?: number; js?: boolean }

suite('the guide in a browser', { skip: whyNoChromium('the guide in a browser') }, () => {
  let service: Service
  let browser: Browser
  let contexts: BrowserContext[] = []
  const pageErrors: string[] = []

  before(async () => {
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'guide/build.ts'], {
      cwd: root,
    })
    service = await Service.start()
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    assert.deepEqual(pageErrors.splice(0), [])
  })

  async function at(path: string, { theme = 'light', width = 1440, js = true }: Look = {}) {
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: { width, height: 900 },
      javaScriptEnabled: js,
    })
    contexts = [...contexts, context]
    const page = await context.newPage()
    page.setDefaultTimeout(timeoutMs)
    page.on('pageerror', (error) => pageErrors.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') pageErrors.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) pageErrors.push(`other host: ${request.url()}`)
    })
    await page.goto(`${service.url}/guide${path}`)
    return page
  }

  function searchField(page: Page) {
    return page.getByRole('combobox', { name: 'Search the guide' })
  }

  test('links lead from page to page, to headings, and to the reference', async () => {
    const page = await at('')
    await page.getByRole('main').getByRole('link', { name: 'tutorial', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /^Tutorial/ }).waitFor()
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
    assert.equal(await pages.locator('[aria-current=page]').textContent(), 'Tutorial')
    await page.getByRole('navigation', { name: 'On this page' }).getByText('Settlement').click()
    await page.waitForURL(/\/guide\/tutorial#settlement$/)
    const heading = page.getByRole('heading', { level: 2, name: 'Settlement' })
    const box = await heading.boundingBox()
    assert.ok(box !== null && box.y >= 56 && box.y < 400, JSON.stringify(box))
    await pages.getByRole('link', { name: 'Event types' }).click()
    await page.waitForURL(/\/guide\/protocol\/events$/)
    await page.getByRole('link', { name: /^Next/ }).click()
    await page.waitForURL(/\/guide\/protocol\/webhooks$/)
    const response = await page.request.get(`${service.url}/guide/no-such-page`)
    assert.equal(response.status(), 404)
  })

  test('the search finds a section, and the keyboard opens it', async () => {
    const page = await at('/tutorial')
    await page.keyboard.press('/')
    await page.keyboard.type('cost of req')
    const first = page.getByRole('option').first()
    assert.match((await first.textContent()) ?? '', /^Cost of requestsOperating guide/)
    await page.keyboard.press('ArrowDown')
    assert.equal(await first.getAttribute('aria-selected'), 'true')
    const active = await searchField(page).getAttribute('aria-activedescendant')
    assert.equal(active, await first.getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/guide\/operating#cost-of-requests$/)
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
  })

  test('the search finds an error code, says when it finds nothing, and closes', async () => {
    const page = await at('')
    const field = searchField(page)
    await field.fill('cannot_cancel')
    await page.getByRole('option').filter({ hasText: 'Codes' }).first().waitFor()
    await field.fill('xyzzy')
    await page.getByRole('option', { name: 'Nothing found.' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
    await field.fill('webhooks')
    await page.getByRole('option').first().click()
    await page.waitForURL(/\/guide\/(?:protocol\/)?webhooks$/)
  })

  test('without scripts every page can be read and reached', async () => {
    const page = await at('', { js: false, width: 390 })
    assert.equal(await page.getByRole('search').isVisible(), false)
    await page.getByRole('link', { name: 'All pages' }).click()
    await page.waitForURL(/#pages$/)
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
    await pages.getByRole('link', { name: 'Glossary' }).click()
    await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor()
  })

  test('the keyboard skips to the content, and scrolls what is wide', async () => {
    const page = await at('/operating', { width: 390 })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
    const table = page.locator('.table').nth(1)
    await table.focus()
    await page.keyboard.press('ArrowRight')
    await untilTrue(page, 'document.activeElement.scrollLeft > 0', timeoutMs)
  })

  async function violationsOf(page: Page): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page }).analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }

  // All kinds of pages in one look, and those with all elements in the others.
  const looks = [
    { theme: 'light', width: 1440, paths: ['', '/tutorial', '/errors', '/glossary', '/operating'] },
    { theme: 'light', width: 390, paths: ['', '/errors'] },
    { theme: 'dark', width: 1440, paths: ['', '/errors'] },
    { theme: 'dark', width: 390, paths: ['', '/errors'] },
  ] as const
  for (const { theme, width, paths } of looks) {
    test(`axe finds no violation: ${theme}, ${width} px`, async () => {
      for (const path of paths) {
        const page = await at(path, { theme, width })
        assert.deepEqual(await violationsOf(page), [], path)
      }
    })
  }

  test('no page is wider than a narrow screen', async () => {
    const page = await at('', { width: 390 })
    for (const { path } of groups.flatMap((group) => group.pages)) {
      await page.goto(`${service.url}/guide/${path}`)
      const isWithin = 'document.documentElement.scrollWidth <= window.innerWidth'
      assert.ok(await page.evaluate(isWithin), path)
    }
  })

  test('axe finds nothing while results are shown', async () => {
    const page = await at('', { width: 390 })
    await searchField(page).fill('settle')
    await page.getByRole('option').nth(2).waitFor()
    assert.deepEqual(await violationsOf(page), [])
  })
})
