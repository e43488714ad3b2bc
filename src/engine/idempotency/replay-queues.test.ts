// Repeated commands of one operator are read a few at a time, and do not hold up those of another.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Unavailable } from '../commands.ts'
import { ReplayQueues, replaysRunningMax, replaysWaitingMax } from './replay-queues.ts'

/** Replays that end one by one, when the test says so. */
function stuckReplays() {
  const queues = new ReplayQueues()
  const started: string[] = []
  const ends: (() => void)[] = []
  const run = (operatorId: string) =>
    queues.run(operatorId, () => {
      started.push(operatorId)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endFirst = async () => {
    ends.shift()?.()
    for (let at = 0; at < 3; at += 1) await nextIteration()
  }
  return { run, started, endFirst }
}

test('a few of an operator run at the same time, and the next when one has ended', async () => {
  const { run, started, endFirst } = stuckReplays()
  const all = Array.from({ length: replaysRunningMax + 2 }, () => run('red'))
  assert.equal(started.length, replaysRunningMax)
  void run('blue')
  assert.equal(started.at(-1), 'blue')
  for (const count of [replaysRunningMax + 2, replaysRunningMax + 3]) {
    await endFirst()
    assert.equal(started.length, count)
  }
  for (let at = 0; at < replaysRunningMax + 1; at += 1) await endFirst()
  await Promise.all(all)
})

test('one that fails makes way for the next', async () => {
  const queues = new ReplayQueues()
  const failing = Array.from({ length: replaysRunningMax * 3 }, () =>
    queues.run('red', () => Promise.reject(new Error('planted'))),
  )
  const ended = await Promise.allSettled(failing)
  assert.ok(ended.every(({ status }) => status === 'rejected'))
  let hasRun = false
  await queues.run('red', async () => {
    hasRun = true
  })
  assert.ok(hasRun)
})

test('more than may wait are refused, of that operator only', async () => {
  const { run, started } = stuckReplays()
  for (let at = 0; at < replaysRunningMax + replaysWaitingMax; at += 1) void run('red')
  await assert.rejects(run('red'), Unavailable)
  void run('blue')
  assert.equal(started.at(-1), 'blue')
})
