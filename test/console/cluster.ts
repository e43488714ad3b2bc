// The page of the cluster: of one process, and of two nodes.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { startCluster } from '../support/cluster/nodes.ts'
import { until } from '../support/http/answers.ts'
import { adminKey } from '../support/process/outcry-process.ts'
import type { ConsoleFixture } from './fixture.ts'

export async function showOneProcess(fixture: ConsoleFixture): Promise<void> {
  const page = await fixture.signedIn(adminKey)
  await page.getByRole('link', { name: 'Cluster' }).click()
  await page.getByText('This exchange runs in one process, which owns all shards.').waitFor()
  const node = page.getByRole('region', { name: 'Nodes' }).locator('tbody tr')
  await node.getByText('This process').waitFor()
  await node.getByText('Active', { exact: true }).waitFor()
  const shards = page.getByRole('region', { name: 'Shards' }).locator('tbody tr')
  const { operators } = (await fixture.service.admin('GET', '/api/v1/admin/cluster')).body.data
    .shards[0]
  const cells = await shards.locator('td').allTextContents()
  assert.deepEqual([cells[0], cells[2], cells[3]], ['This process', '–', String(operators)])
  assert.equal(await page.getByRole('button', { name: /^(?:Move|Drain)/ }).count(), 0)
}

/** On a PostgreSQL database of its own. */
export async function moveAndDrain(fixture: ConsoleFixture, url: string): Promise<void> {
  const [one, other] = await startCluster({ url, nodes: 2, shards: 2 })
  assert.ok(one !== undefined && other !== undefined)
  const cluster = async () => (await one.admin('GET', '/api/v1/admin/cluster')).body.data
  try {
    const { nodes } = await cluster()
    const [first, second] = nodes
    const page = await fixture.signedIn(adminKey, one.url)
    await page.getByRole('link', { name: 'Cluster' }).click()
    const dialog = page.getByRole('dialog')
    const move = async (to: string) => {
      await page.getByRole('button', { name: 'Move shard 1' }).click()
      await dialog.getByLabel('New owner').selectOption({ label: to })
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await move(first.address)
    await move(second.address)
    const row = page.getByRole('region', { name: 'Shards' }).locator('tbody tr').nth(1)
    await row.getByText(`Pinned to ${second.address}`).waitFor()
    const moved = (await cluster()).shards[1]
    assert.deepEqual([moved.nodeId, moved.pinnedTo], [second.id, second.id])
    await page
      .getByRole('region', { name: 'Last takeovers' })
      .getByText('Handover')
      .first()
      .waitFor()

    await page.getByRole('button', { name: `Drain ${second.address}` }).click()
    const drain = dialog.getByRole('button', { name: 'Drain', exact: true })
    assert.ok(await drain.isDisabled())
    await dialog.getByLabel('Type DRAIN').fill('drain')
    await drain.click()
    await page.getByRole('region', { name: 'Nodes' }).getByText('Draining').waitFor()
    const drained = await until(cluster, (view) => view.shards[1].nodeId === first.id, 10_000)
    assert.equal(drained.shards[1].nodeId, first.id)
  } finally {
    await Promise.all([one.stop(), other.stop()])
    for (const { dataDir } of [one, other]) rmSync(dataDir, { recursive: true })
  }
}
