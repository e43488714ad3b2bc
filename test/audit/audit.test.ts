// The audit over real records: clean where nothing is wrong, and each check finds the corruptions
// that are planted for it.

import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { auditFolder } from '../../src/store/sqlite/audit/audit.ts'
import { Random } from '../support/random.ts'
import { busyHouse, newMarket, tradeIn } from './busy-house.ts'
import { plants } from './plants.ts'

suite('audit', () => {
  let place = ''
  let healthy = ''

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'outcry-audit-'))
    healthy = join(place, 'healthy')
    const open = await busyHouse()
    await open.stop()
    await cp(open.folder, healthy, { recursive: true })
    await rm(open.folder, { recursive: true })
  })

  after(() => rm(place, { recursive: true, force: true }))

  test('finds nothing where everything has happened and nothing is wrong', async () => {
    const { violations, violationCount, counts } = await auditFolder(healthy)
    assert.deepEqual(violations, [])
    assert.equal(violationCount, 0)
    for (const [kind, count] of Object.entries(counts)) assert.ok(count > 0, `no ${kind}`)
  })

  test('has a planted corruption for every check', async () => {
    const { checks } = await auditFolder(healthy)
    const planted = new Set(plants.map(({ check }) => check))
    assert.deepEqual([...planted].sort(), [...checks].sort())
    assert.equal(new Set(checks).size, checks.length)
  })

  for (const { check, title, sql } of plants) {
    test(`${check} finds that ${title}`, async () => {
      const folder = join(place, 'sick')
      await cp(healthy, folder, { recursive: true })
      try {
        plant(folder, sql)
        const { violations } = await auditFolder(folder)
        const own = violations.filter((line) => line.startsWith(`${check}: `))
        assert.ok(own.length > 0, `found only ${violations.join('\n')}`)
        for (const line of own) assert.doesNotMatch(line, /could not be checked|undefined|null/)
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  }

  test('lists a bounded number of violations and counts the others', async () => {
    const folder = join(place, 'rotten')
    await cp(healthy, folder, { recursive: true })
    plant(folder, 'UPDATE orders SET cost = cost + 1')
    const { violations, violationCount, counts } = await auditFolder(folder)
    assert.equal(violations.length, 100)
    assert.ok(violationCount >= counts.orders)
  })

  test('stays clean while an engine writes', async () => {
    const open = await busyHouse(3)
    try {
      const market = await newMarket(open, ['Yes', 'No'])
      let isTrading = true
      const trading = tradeIn(open, market, new Random(5), 60).finally(() => {
        isTrading = false
      })
      const heads = new Set<number>()
      while (isTrading) {
        const { violations, counts } = await auditFolder(open.folder)
        assert.deepEqual(violations, [])
        heads.add(counts.turns)
      }
      await trading
      assert.ok(heads.size > 1, 'the engine wrote between the audits')
    } finally {
      await open.close()
    }
  })
})

function plant(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, 'outcry.db'), {
    enableForeignKeyConstraints: false,
  })
  try {
    database.enableDefensive(false)
    const before = changesOf(database)
    database.exec(sql)
    assert.ok(changesOf(database) > before, 'the corruption changes something')
  } finally {
    database.close()
  }
}

function changesOf(database: DatabaseSync): number {
  return Number(database.prepare('SELECT total_changes() AS count').get()?.count)
}
