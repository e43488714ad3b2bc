// Writes run one after the other, and a limited number of them can wait.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StoreUnavailable } from '../store/store.ts'
import { WriteQueue, writesWaitingMax } from './write-queue.ts'

const never = async () => assert.fail('memory is not stale')

describe('registry writes', () => {
  test('run one at a time, in the order of arrival', async () => {
    const writes = new WriteQueue(never)
    const steps: string[] = []
    const write = (name: string) => async () => {
      steps.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      steps.push(`${name} ends`)
      return name
    }
    const answers = await Promise.all([writes.run(write('one')), writes.run(write('two'))])
    assert.deepEqual(answers, ['one', 'two'])
    assert.deepEqual(steps, ['one begins', 'one ends', 'two begins', 'two ends'])
  })

  test('continue after a failed one, once the store was read again', async () => {
    let reads = 0
    const writes = new WriteQueue(async () => {
      reads += 1
    })
    const failing = writes.run(async () => {
      throw new Error('no disk')
    })
    const following = writes.run(async () => reads)
    await assert.rejects(failing, /no disk/)
    assert.equal(await following, 1)
    assert.equal(await writes.run(async () => reads), 1, 'read once, not at every write')
  })

  test('fail while the store cannot be read after a failed one', async () => {
    let isBroken = true
    const writes = new WriteQueue(async () => {
      if (isBroken) throw new Error('cannot read')
    })
    const fail = async () => {
      throw new Error('no disk')
    }
    await assert.rejects(writes.run(fail), /no disk/)
    await assert.rejects(
      writes.run(async () => 1),
      /cannot read/,
    )
    isBroken = false
    assert.equal(await writes.run(async () => 2), 2)
  })

  test('fail as unavailable when too many are waiting', async () => {
    const writes = new WriteQueue(never)
    const { promise, resolve } = Promise.withResolvers<number>()
    const waiting = Array.from({ length: writesWaitingMax }, () => writes.run(() => promise))
    await assert.rejects(writes.run(never), StoreUnavailable)
    resolve(7)
    await Promise.all(waiting)
    assert.equal(await writes.run(async () => 8), 8)
  })
})
