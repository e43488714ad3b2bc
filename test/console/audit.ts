// The audit log in the console: its filters in the address, its pages, and who may see it.

import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { OperatorClient } from '../support/http/operator-client.ts'
import { adminKey } from '../support/process/outcry-process.ts'
import { type ConsoleFixture, timeoutMs } from './fixture.ts'

const widths = [1440, 390]
const reason = `The feed of the venue is ${'very '.repeat(60)}late`

export async function showAuditLog(fixture: ConsoleFixture): Promise<void> {
  const made = await OperatorClient.create(fixture.service)
  const operator = await made.withKey({ label: 'The night shift of the back office' })
  const market = await operator.openMarket()
  await operator.act(market, 'suspend', { reason })
  const drafts = 30
  for (let count = 0; count < drafts; count += 1) await made.createMarket()
  for (const width of widths) {
    const page = await fixture.at('/markets', { key: operator.key, width })
    await page.getByRole('link', { name: 'Audit', exact: true }).click()
    await untilRows(page, 25)
    await page.getByText('1–25 of 35').waitFor()
    const hidden = 'document.querySelector(".audit-table").parentElement'
    assert.equal(await page.evaluate(`${hidden}.scrollWidth - ${hidden}.clientWidth`), 0)
    await checkPage(page)
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await untilRows(page, 10)
    const acts = await page.locator('.audit-table tbody .act').allTextContents()
    assert.deepEqual(acts, [
      ...Array.from({ length: 5 }, () => 'Market created'),
      ...['Market suspended', 'Market opened', 'Market created'],
      ...['Key created', 'Operator created'],
    ])
    await checkPage(page)

    await page.getByLabel('Act', { exact: true }).selectOption({ label: 'Market suspended' })
    await untilRows(page, 1)
    assert.equal(await page.locator('.audit-table td.reason').textContent(), reason)
    assert.match(page.url(), /\?action=suspendMarket$/)
    await page.reload()
    await untilRows(page, 1)
    await page.getByLabel('Act', { exact: true }).selectOption({ label: 'All acts' })
    await untilRows(page, 25)

    await page.getByRole('button', { name: 'Next' }).click()
    await page
      .locator('.audit-table')
      .getByRole('button', { name: 'The night shift' })
      .first()
      .click()
    await untilRows(page, 3)
    assert.ok(page.url().endsWith(`?keyId=${operator.keyId}`))
    await page.getByLabel('Target ID').fill(market.id)
    await page.waitForURL(new RegExp(`targetId=${market.id}`))
    await untilRows(page, 3)
    await page.getByRole('link', { name: 'View', exact: true }).first().click()
    await page.getByRole('heading', { name: market.title }).waitFor()
    await page.goBack()
    await untilRows(page, 3)

    await page.getByLabel('Target ID').fill('')
    await page.getByLabel('Key ID').fill('not an id')
    await page.getByText(/^KeyId: must be/).waitFor()
    await checkPage(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await untilRows(page, 25)
    await page.getByLabel('From', { exact: true }).fill('2099-01-01T12:00')
    await page.getByText('No act matches these filters.').waitFor()
    assert.match(page.url(), /\?from=2099-01-01T/)
    await page.goto(`${fixture.service.url}/console/audit?from=never&action=none`)
    await untilRows(page, 25)
    await page.context().close()
  }
  assert.deepEqual(fixture.pageErrors, [])
}

export async function showAuditLogOfAll(fixture: ConsoleFixture): Promise<void> {
  const { service } = fixture
  const operator = await OperatorClient.create(service)
  await operator.createMarket()
  const { keyId } = await operator.withKey({ label: 'Old' })
  await service.admin('DELETE', `/api/v1/admin/operators/${operator.id}/keys/${keyId}`)
  for (const width of widths) {
    const page = await fixture.newPage({ width })
    await page.goto(`${service.url}/console`)
    const session = JSON.stringify(JSON.stringify({ kind: 'admin', key: adminKey }))
    await page.evaluate(`sessionStorage.setItem('outcry.session', ${session})`)
    await page.goto(`${service.url}/console/audit?operatorId=${operator.id}`)
    await untilRows(page, 4)
    const acts = page.locator('.audit-table tbody .act')
    assert.deepEqual(await acts.allTextContents(), [
      'Key revoked',
      'Key created',
      'Market created',
      'Operator created',
    ])
    const by = page.locator('.audit-table tbody .by')
    assert.deepEqual(await by.allTextContents(), [
      ...['Administrator', 'Administrator', 'Key without a label', 'Administrator'],
    ])
    await checkPage(page)
    await page.getByLabel('Act', { exact: true }).selectOption({ label: 'Key revoked' })
    await untilRows(page, 1)
    await page.getByRole('link', { name: 'View', exact: true }).click()
    await page.waitForURL(new RegExp(`/operators/${operator.id}$`))
    await page.context().close()
  }
}

async function untilRows(page: Page, count: number): Promise<void> {
  const rows = page.locator('.audit-table tbody tr')
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const shown = await rows.count()
    if (shown === count) return
    assert.ok(Date.now() < deadline, `${shown} rows instead of ${count}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** No wider than the screen, and without violations in both themes. */
async function checkPage(page: Page): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(excess, 0)
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id} ${target}`),
    )
    assert.deepEqual(found, [], theme)
  }
}
