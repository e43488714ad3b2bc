// When the tables are derived, and what waits for it.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { StoreUnavailable } from '../store.ts'
import { DerivedProgress } from './derived-progress.ts'
import { DerivedTables } from './derived-tables.ts'
import { stepBytes } from './deriver.ts'

/** Stands in for the thread that derives: a test ends each derivation. */
class FakeWriter {
  readonly requests: number[] = []
  readonly #waiting: PromiseWithResolvers<number>[] = []

  derive = (to: number): Promise<number> => {
    this.requests.push(to)
    const waiting = Promise.withResolvers<number>()
    this.#waiting.push(waiting)
    return waiting.promise
  }

  async finish(to?: number): Promise<void> {
    const requested = this.requests.at(-this.#waiting.length)!
    this.#waiting.shift()!.resolve(to ?? requested)
    await nextIteration()
  }

  async fail(): Promise<void> {
    this.#waiting.shift()!.reject(new StoreUnavailable('The disk is full.'))
    await nextIteration()
  }
}

class CountedProgress extends DerivedProgress {
  failures = 0
  isClosed = false

  override setFailed(): void {
    this.failures += 1
    super.setFailed()
  }

  override setClosed(): void {
    this.isClosed = true
    super.setClosed()
  }
}

/** Whether the promise is fulfilled, after everything that is due has run. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let isFulfilled = false
  void promise.then(() => {
    isFulfilled = true
  })
  await nextIteration()
  return isFulfilled
}

describe('the tables', () => {
  let writer: FakeWriter
  let progress: CountedProgress
  let failures: string[]
  let tables: DerivedTables

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    writer = new FakeWriter()
    progress = new CountedProgress()
    failures = []
    const onFailure = (error: Error) => failures.push(error.message)
    tables = new DerivedTables(writer.derive, { progress, onFailure })
  })

  afterEach(() => {
    void tables.close()
    mock.timers.reset()
  })

  test('know how many bytes of turns they do not have', async () => {
    tables.onCommitted(1, 10)
    tables.request()
    tables.onCommitted(2, 20)
    assert.equal(tables.pendingBytes, 30)
    await writer.finish()
    assert.equal(tables.pendingBytes, 20)
  })

  test('are derived a quarter of a second after a commit', () => {
    tables.onCommitted(1, 10)
    mock.timers.tick(100)
    tables.onCommitted(2, 10)
    mock.timers.tick(149)
    assert.deepEqual(writer.requests, [])
    mock.timers.tick(1)
    assert.deepEqual(writer.requests, [2])
  })

  test('are derived at once when there is enough for a transaction', () => {
    tables.onCommitted(1, stepBytes - 1)
    assert.deepEqual(writer.requests, [])
    tables.onCommitted(2, 1)
    assert.deepEqual(writer.requests, [2])
  })

  test('are derived again after a derivation during which more was committed', async () => {
    tables.onCommitted(1, stepBytes)
    tables.onCommitted(2, stepBytes)
    assert.equal(writer.requests.length, 1)
    await writer.finish()
    assert.equal(tables.derivedTo, 1)
    assert.equal(writer.requests[1], 2)
  })

  test('are not waited for by a read if they have everything', async () => {
    tables.onCommitted(1, 10)
    mock.timers.tick(250)
    await writer.finish()
    await tables.untilCurrent()
    assert.equal(writer.requests.length, 1)
  })

  test('are derived for a read at once, and only once for all that wait', async () => {
    tables.onCommitted(1, 10)
    const reads = [tables.untilCurrent(), tables.untilCurrent()]
    assert.deepEqual(writer.requests, [1])
    assert.equal(await isDone(Promise.all(reads)), false)
    await writer.finish()
    await Promise.all(reads)
    assert.equal(writer.requests.length, 1)
  })

  test('are derived once more for a read that needs more than what is being derived', async () => {
    tables.onCommitted(1, 10)
    const first = tables.untilCurrent()
    tables.onCommitted(2, 10)
    const second = tables.untilCurrent()
    assert.deepEqual(writer.requests, [1, 2], 'the writer need not wait for the event loop')
    await writer.finish()
    await first
    assert.equal(await isDone(second), false)
    await writer.finish()
    await second
  })

  test('are asked for twice at most; the rest follows when the first has ended', async () => {
    for (const to of [1, 2, 3, 4]) {
      tables.onCommitted(to, 10)
      assert.equal(tables.request(), to)
    }
    assert.deepEqual(writer.requests, [1, 2])
    await writer.finish()
    assert.deepEqual(writer.requests, [1, 2, 4])
    await writer.finish()
    await writer.finish()
    assert.equal(tables.derivedTo, 4)
    assert.equal(tables.request(), 4)
    assert.equal(writer.requests.length, 3)
  })

  test('do not make a read wait for what is committed after it', async () => {
    tables.onCommitted(1, 10)
    const read = tables.untilCurrent()
    tables.onCommitted(2, 10)
    await writer.finish(1)
    await read
  })

  test('fail a thread that waits for them if they cannot be derived, or are closed', async () => {
    tables.onCommitted(1, 10)
    tables.request()
    await writer.fail()
    assert.equal(progress.failures, 1)
    assert.equal(progress.isClosed, false)
    await tables.close()
    assert.equal(progress.isClosed, true)
  })

  test('are derived again later if the disk is full; a read fails meanwhile', async () => {
    tables.onCommitted(1, 10)
    const read = tables.untilCurrent()
    const refused = assert.rejects(read, StoreUnavailable)
    await writer.fail()
    await refused
    tables.onCommitted(2, stepBytes)
    await writer.fail()
    mock.timers.tick(999)
    assert.equal(writer.requests.length, 2)
    mock.timers.tick(1)
    assert.equal(writer.requests.length, 3)
    await writer.finish()
    assert.equal(tables.derivedTo, 2)
  })

  test('report the first of several failures, which no read may show', async () => {
    tables.onCommitted(1, stepBytes)
    await writer.fail()
    mock.timers.tick(1_000)
    await writer.fail()
    assert.deepEqual(failures, ['The disk is full.'])
    mock.timers.tick(1_000)
    await writer.finish()
    tables.onCommitted(2, stepBytes)
    await writer.fail()
    assert.equal(failures.length, 2, 'they had everything in between')
    await tables.close()
  })

  test('are derived in the background also after a retry that was not needed', async () => {
    tables.onCommitted(1, 10)
    tables.request()
    tables.onCommitted(2, 10)
    tables.request()
    await writer.fail()
    await writer.finish()
    mock.timers.tick(1_000)
    assert.deepEqual(writer.requests, [1, 2], 'they have everything')
    tables.onCommitted(3, 10)
    mock.timers.tick(250)
    assert.deepEqual(writer.requests, [1, 2, 3])
  })

  test('are not behind if a turn is derived before its commit is known', async () => {
    tables.onCommitted(1, 10)
    tables.request()
    await writer.finish(2)
    tables.onCommitted(2, 10)
    assert.equal(tables.pendingBytes, 0)
    assert.equal(tables.request(), 2)
    mock.timers.tick(250)
    tables.onCommitted(3, 10)
    mock.timers.tick(250)
    assert.deepEqual(writer.requests, [1, 3])
  })

  test('make commits wait when too much is not in them', async () => {
    tables.onCommitted(1, 2 * stepBytes)
    await tables.untilAccepting()
    tables.onCommitted(2, 2 * stepBytes)
    const commit = tables.untilAccepting()
    assert.equal(await isDone(commit), false)
    await writer.finish(1)
    await commit
  })

  test('make commits wait until there is room, also for several derivations', async () => {
    tables.onCommitted(1, 4 * stepBytes)
    tables.onCommitted(2, 12 * stepBytes)
    const commit = tables.untilAccepting()
    await writer.finish(1)
    assert.equal(await isDone(commit), false)
    await writer.finish(2)
    await commit
  })

  test('are not derived if the store is closed; a read fails', async () => {
    tables.onCommitted(1, 10)
    await tables.close()
    tables.onCommitted(2, stepBytes)
    mock.timers.tick(1_000)
    await assert.rejects(tables.untilCurrent(), StoreUnavailable)
    assert.deepEqual(writer.requests, [])
  })

  test('are closed when a derivation that runs has ended', async () => {
    tables.onCommitted(1, stepBytes)
    const closed = tables.close()
    assert.equal(await isDone(closed), false)
    await writer.finish()
    await closed
  })
})
