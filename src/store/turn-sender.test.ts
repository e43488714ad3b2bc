// Turns settle in the order in which they are sent, also one that fails before it is sent.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { CommitFailure, RowPacker, type Turn } from './store.ts'
import { TurnSender } from './turn-sender.ts'

function turn(from: number): Turn {
  const { bytes: rows } = new RowPacker()
  return { epoch: 1, batchId: `batch-${from}`, from, to: from + 1, lastSerial: 1, now: 1, rows }
}

/** A sender whose first turn is in flight, and whose others fail at once. */
function newSender() {
  const first = Promise.withResolvers<void>()
  const generations: number[] = []
  const sender = new TurnSender(async ({ from, generation }) => {
    generations.push(generation)
    if (from === 0) return first.promise
    throw new CommitFailure('planted', { outcome: 'aborted', isFull: true })
  })
  const settled: string[] = []
  const commit = (from: number) =>
    sender.commit(turn(from)).then(
      () => settled.push(`${from} is committed`),
      (error: Error) => settled.push(`${from}: ${error.message}`),
    )
  return { commit, first, generations, settled }
}

suite('a turn that fails at once', () => {
  test('settles after the turn before it', async () => {
    const { commit, first, settled } = newSender()
    const commits = [commit(0), commit(1), commit(2)]
    await nextIteration()
    assert.deepEqual(settled, [])
    first.resolve()
    await Promise.all(commits)
    assert.deepEqual(settled, ['0 is committed', '1: planted', '2: planted'])
  })

  test('is known to the next turn, also while the one before it is in flight', async () => {
    const { commit, first, generations } = newSender()
    const commits = [commit(0), commit(1)]
    await nextIteration()
    commits.push(commit(2))
    first.resolve()
    await Promise.all(commits)
    assert.deepEqual(generations, [0, 0, 1])
  })
})
