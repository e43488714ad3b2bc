// What a store guarantees for the audit log.

import assert from 'node:assert/strict'
import type { AuditEntry, AuditQuery } from '../../src/store/store.ts'
import { startMs } from './sample-rows.ts'
import type { StoreFixture, StoreTests } from './store-fixture.ts'

function idOf(time: number, count: number): string {
  const hex = time.toString(16).padStart(12, '0')
  const last = count.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${last}`
}

/** The entry with that number; each is one millisecond later than the one before. */
function entry(count: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  const createdAt = changes.createdAt ?? startMs + count
  return {
    id: idOf(createdAt, count),
    createdAt,
    operatorId: 'operator-1',
    keyId: 'key-1',
    keyLabel: 'é',
    action: 'openMarket',
    targetId: 'market-1',
    reason: null,
    requestId: `request-${count}`,
    ...changes,
  }
}

const everything: AuditQuery = {
  operatorId: null,
  keyId: null,
  action: null,
  targetId: null,
  from: null,
  to: null,
  after: null,
  limit: 10,
}

async function requestsIn(fixture: StoreFixture, query: Partial<AuditQuery>): Promise<string[]> {
  const { rows } = await fixture.shard.reads.auditEntries({ ...everything, ...query })
  return rows.map(({ requestId }) => requestId.slice('request-'.length))
}

async function note(fixture: StoreFixture, ...entries: AuditEntry[]): Promise<void> {
  await fixture.store.audit.write(entries.map((each) => ({ kind: 'NOTE', entry: each })))
}

export const auditTests: StoreTests = {
  'an act is noted, done with what it concerned, or removed; all over a restart': async (
    fixture,
  ) => {
    const [done, unknown, refused] = [entry(1, { targetId: null }), entry(2), entry(3)]
    await note(fixture, done, unknown, refused)
    const changes = [
      { kind: 'DONE', id: done.id, operatorId: 'operator-2', targetId: 'made' },
      { kind: 'REMOVE', id: refused.id },
    ] as const
    await fixture.store.audit.write(changes)
    // As after a lost connection.
    await fixture.store.audit.write(changes)
    await note(fixture, done)
    await fixture.store.audit.write([{ kind: 'REMOVE', id: done.id }])
    await fixture.reopen()
    assert.deepEqual(await fixture.shard.reads.auditEntries(everything), {
      rows: [
        { ...unknown, isDone: false },
        { ...done, operatorId: 'operator-2', targetId: 'made', isDone: true },
      ],
      total: 2,
      totalIsExact: true,
      hasMore: false,
    })
  },

  'acts are found by each filter and by several': async (fixture) => {
    await note(
      fixture,
      entry(1),
      entry(2, { keyId: 'key-2', action: 'closeMarket' }),
      entry(3, { operatorId: 'operator-2', keyId: 'key-3' }),
      entry(4, { targetId: 'market-2' }),
      entry(5, { operatorId: null, keyId: null, keyLabel: null, action: 'drainNode' }),
    )
    const found = (query: Partial<AuditQuery>) => requestsIn(fixture, query)
    assert.deepEqual(await found({}), ['5', '4', '3', '2', '1'])
    assert.deepEqual(await found({ operatorId: 'operator-1' }), ['4', '2', '1'])
    assert.deepEqual(await found({ action: 'openMarket' }), ['4', '3', '1'])
    assert.deepEqual(await found({ keyId: 'key-1' }), ['4', '1'])
    assert.deepEqual(await found({ targetId: 'market-1' }), ['5', '3', '2', '1'])
    const own = { operatorId: 'operator-1', targetId: 'market-1' }
    assert.deepEqual(await found(own), ['2', '1'])
    assert.deepEqual(await found({ ...own, action: 'closeMarket' }), ['2'])
    assert.deepEqual(await found({ ...own, keyId: 'key-1' }), ['1'])
    assert.deepEqual(await found({ operatorId: 'operator-1', action: 'openMarket' }), ['4', '1'])
    assert.deepEqual(await found({ keyId: 'key-1', action: 'closeMarket' }), [])
    assert.deepEqual(await found({ keyId: 'key-3', operatorId: 'operator-1' }), [])
  },

  'times include their begin and not their end': async (fixture) => {
    await note(fixture, entry(1), entry(2), entry(3))
    const times = { from: startMs + 1, to: startMs + 3 }
    assert.deepEqual(await requestsIn(fixture, times), ['2', '1'])
    assert.deepEqual(await requestsIn(fixture, { ...times, from: startMs + 2 }), ['2'])
    assert.deepEqual(await requestsIn(fixture, { from: startMs + 4 }), [])
  },

  'pages follow each other, newest first, with a total': async (fixture) => {
    await note(fixture, ...[1, 2, 3, 4, 5].map((count) => entry(count, { createdAt: startMs })))
    const seen: string[] = []
    for (let after: string | null = null, pages = 1; ; pages += 1) {
      const page = await fixture.shard.reads.auditEntries({ ...everything, after, limit: 2 })
      assert.deepEqual([page.total, page.totalIsExact], [5, true])
      seen.push(...page.rows.map(({ requestId }) => requestId))
      after = page.rows.at(-1)!.id
      if (page.hasMore) continue
      assert.equal(pages, 3)
      break
    }
    assert.deepEqual(
      seen,
      [5, 4, 3, 2, 1].map((count) => `request-${count}`),
    )
  },

  'the oldest are deleted first, a few at a time': async (fixture) => {
    await note(fixture, entry(4), entry(1), entry(3), entry(2))
    const { audit } = fixture.store
    assert.deepEqual(await audit.prune(startMs + 4, 2), { hasMore: true })
    assert.deepEqual(await requestsIn(fixture, {}), ['4', '3'])
    assert.deepEqual(await audit.prune(startMs + 4, 2), { hasMore: false })
    assert.deepEqual(await requestsIn(fixture, {}), ['4'])
  },
}
