// The size of a turn is bounded: large commands are spread over several turns, in their order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, EngineFixture, newMarket } from './engine-fixture.ts'

const mib = 1024 * 1024

/** The sizes of the turns that are committed during `work`. */
async function sizesDuring(
  fixture: EngineFixture,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const sizes: number[] = []
  fixture.commitHook = (turn, commit) => {
    sizes.push(turn.rows.length)
    return commit(turn)
  }
  await work()
  return sizes
}

test('concurrent commands with long texts are committed in turns of about 1 MiB', async () => {
  const fixture = await EngineFixture.open()
  const market = (number: number) =>
    fixture.engine.submit('createMarket', {
      ...newMarket,
      title: `Market ${number}`,
      description: 'x'.repeat(mib / 4),
      isShared: false,
    })
  try {
    const made: number[] = []
    const sizes = await sizesDuring(fixture, async () => {
      const all = await Promise.all(Array.from({ length: 12 }, (_, number) => market(number)))
      made.push(...all.map((result) => answerOf(result).marketSerial))
    })
    assert.ok(sizes.length >= 3, `${sizes}`)
    for (const size of sizes) assert.ok(size < 1.5 * mib, `${sizes}`)
    assert.deepEqual(
      made,
      [...made].sort((one, other) => one - other),
    )
  } finally {
    await fixture.close()
  }
})
