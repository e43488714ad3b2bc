// Writes run one after the other, and a limited number of them can wait.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RegistryBehind, StoreUnavailable } from '../store/store.ts'
import {
  decisionsMax,
  WriteQueue,
  type WriteQueueOptions,
  writesWaitingMax,
} from './write-queue.ts'

const never = async () => assert.fail('memory is not stale')

function queue(changed: Partial<WriteQueueOptions> = {}): WriteQueue {
  const onWritten = async () => undefined
  return new WriteQueue({ reload: never, catchUp: never, version: () => 0, onWritten, ...changed })
}

describe('registry writes', () => {
  test('run one at a time, in the order of arrival', async () => {
    const writes = queue()
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
    const writes = queue({
      reload: async () => {
        reads += 1
      },
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
    const writes = queue({
      reload: async () => {
        if (isBroken) throw new Error('cannot read')
      },
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

  test('are decided again when another node has changed the registry', async () => {
    let version = 4
    let stored = 6
    const writes = queue({
      version: () => version,
      catchUp: async () => {
        version = stored
      },
    })
    const decidedOn: number[] = []
    const write = async () => {
      decidedOn.push(version)
      if (version !== stored) throw new RegistryBehind(version, stored)
      version += 1
      stored = version
    }
    await writes.run(write)
    assert.deepEqual(decidedOn, [4, 6])
    assert.equal(writes.seen, 7)
  })

  test('fail as unavailable when other nodes keep changing the registry', async () => {
    let decisions = 0
    const writes = queue({ catchUp: async () => undefined })
    const write = async () => {
      decisions += 1
      throw new RegistryBehind(0, 1)
    }
    await assert.rejects(writes.run(write), StoreUnavailable)
    assert.equal(decisions, decisionsMax)
    assert.equal(await writes.run(async () => 1), 1, 'the memory is not stale')
  })

  test('are answered after the other nodes, for which the next write does not wait', async () => {
    let version = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const waited: number[] = []
    const writes = queue({
      version: () => version,
      onWritten: async (written) => {
        waited.push(written)
        if (written === 1) await promise
      },
    })
    const write = async () => {
      version += 1
      return version
    }
    let isAnswered = false
    const first = writes.run(write).then(() => {
      isAnswered = true
    })
    assert.equal(await writes.run(write), 2)
    assert.equal(isAnswered, false)
    resolve()
    await first
    await writes.run(async () => 'rejected')
    assert.deepEqual(waited, [1, 2], 'a write that changes nothing waits for nobody')
  })

  test('that fail after they were stored do not count as seen', async () => {
    let version = 1
    const writes = queue({ version: () => version, reload: async () => undefined })
    await writes.start(async () => undefined)
    const write = async () => {
      version += 1
      throw new Error('engine unavailable')
    }
    await assert.rejects(writes.run(write), /engine unavailable/)
    assert.equal(writes.seen, 1)
    await writes.refresh()
    assert.equal(writes.seen, 2)
  })

  test('fail as unavailable when too many are waiting', async () => {
    const writes = queue()
    const { promise, resolve } = Promise.withResolvers<number>()
    const waiting = Array.from({ length: writesWaitingMax }, () => writes.run(() => promise))
    await assert.rejects(writes.run(never), StoreUnavailable)
    resolve(7)
    await Promise.all(waiting)
    assert.equal(await writes.run(async () => 8), 8)
  })
})
