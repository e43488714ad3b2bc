// How large a turn becomes: what waits is spread over several where it is much, in its order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Turn } from '../../src/store/store.ts'
import { accepted, House, house } from './engine-fixture.ts'

const mib = 1024 * 1024

function bytesOf({ rows }: Turn): number {
  return rows.texts.reduce((sum, text) => sum + text.length, rows.length * 8)
}

/** The sizes of the turns that are stored while something is done. */
async function sizesDuring(open: House, work: () => Promise<unknown>): Promise<number[]> {
  const sizes: number[] = []
  open.admission = (turn, commit) => {
    sizes.push(bytesOf(turn))
    return commit(turn)
  }
  await work()
  return sizes
}

test('long texts that come together are stored in turns of about a MiB', async () => {
  const open = await House.open()
  const market = (number: number) =>
    open.engine.submit('createMarket', {
      ...{ operatorId: house, title: `Market ${number}`, description: 'x'.repeat(mib / 4) },
      ...{ imageUrl: null, categoryId: null, metadata: null, currency: 'USD', outcomes: null },
      ...{ tradingStartsAt: null, tradingEndsAt: null },
      ...{ isShared: false, hasCompleteSetMatching: false },
    })
  try {
    const made: number[] = []
    const sizes = await sizesDuring(open, async () => {
      const all = await Promise.all(Array.from({ length: 12 }, (_, number) => market(number)))
      made.push(...all.map((result) => accepted(result).marketSerial))
    })
    assert.ok(sizes.length >= 3, `${sizes}`)
    for (const size of sizes) assert.ok(size < 1.5 * mib, `${sizes}`)
    assert.deepEqual(
      made,
      [...made].sort((one, other) => one - other),
    )
  } finally {
    await open.close()
  }
})
