// The audit of real records: it finds no violations in healthy data, and each check finds the
// corruptions that are planted for it.

import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { presentEngineVersion } from '../../src/store/engine-version.ts'
import { auditFolder } from '../../src/store/sqlite/audit/audit.ts'
import { prepareDatabase } from '../../src/store/sqlite/start.ts'
import { Random } from '../support/process/random.ts'
import { busyExchange, newMarket, tradeIn } from './busy-exchange.ts'
import { plants } from './plants.ts'

suite('audit', () => {
  let place = ''
  let healthy = ''

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'outcry-audit-'))
    healthy = join(place, 'healthy')
    const busy = await busyExchange()
    await busy.stop()
    await cp(busy.folder, healthy, { recursive: true })
    await rm(busy.folder, { recursive: true })
    // Updates the deferred indexes.
    prepareDatabase({ folder: healthy, shard: 0, engineVersion: presentEngineVersion })
  })

  after(() => rm(place, { recursive: true, force: true }))

  test('finds no violations in healthy data with records of every kind', async () => {
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

  test('reports an overwritten page and invalid JSON as violations', async () => {
    const folder = join(place, 'torn')
    await cp(healthy, folder, { recursive: true })
    const file = join(folder, 'outcry.db')
    plant(folder, "UPDATE jobs SET job = '{'")
    const { page, size } = pageOf(file, 'order_index_by_player')
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(size, 0x5a), 0, size, (page - 1) * size)
    await handle.close()
    const { violations } = await auditFolder(folder)
    assert.ok(violations.some((line) => line.startsWith('file: The database is damaged')))
    assert.ok(violations.some((line) => line.startsWith('market-job: This could not be checked')))
  })

  test('refuses a file that is not a database with one line', async () => {
    const folder = join(place, 'foreign')
    await mkdir(folder)
    await writeFile(join(folder, 'outcry.db'), 'Dear diary, '.repeat(1_000))
    await assert.rejects(auditFolder(folder), {
      name: 'DatabaseUnreadable',
      message: /cannot be read/,
    })
  })

  test('finds no violations while an engine writes', async () => {
    const busy = await busyExchange(3)
    try {
      const market = await newMarket(busy, ['Yes', 'No'])
      let isTrading = true
      const trading = tradeIn(busy, market, new Random(5), 60).finally(() => {
        isTrading = false
      })
      const heads = new Set<number>()
      while (isTrading) {
        const { violations, counts } = await auditFolder(busy.folder)
        assert.deepEqual(violations, [])
        heads.add(counts.turns)
      }
      await trading
      assert.ok(heads.size > 1, 'the engine wrote between the audits')
    } finally {
      await busy.close()
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

function pageOf(file: string, table: string): { page: number; size: number } {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)
    const size = database.prepare('PRAGMA page_size').get()
    return { page: Number(root?.rootpage), size: Number(size?.page_size) }
  } finally {
    database.close()
  }
}
