// Parties that share readers are served in round robin, within limits.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type LaneLimits, type LaneReader, ReadLane } from './read-lane.ts'
import { type ReadDrop, type ReadParty, StoreUnavailable } from './store.ts'

const limits: LaneLimits = {
  waitingMax: 1_000,
  waitingOfAddressMax: 10,
  waitMsMax: 1_000,
  deadlineMs: 5_000,
}

/** A read that runs until the test ends it. */
type Started = { readonly title: string; readonly end: () => Promise<void> }

/** A lane whose clock and reads the test controls. */
class TestLane {
  now = 0
  readonly running: Started[] = []
  readonly drops: ReadDrop[] = []
  /** The titles of the reads in the order in which they started. */
  readonly started: string[] = []
  readonly answers: string[] = []
  abandoned = 0
  /** By how much the clock advances whenever it is read. */
  clockStepMs = 0
  readonly lane: ReadLane<LaneReader>

  constructor({
    readers = 2,
    readsMax = 1,
    ...changes
  }: Partial<LaneLimits> & { readonly readers?: number; readonly readsMax?: number } = {}) {
    const reader = (): LaneReader => ({
      readsMax,
      abandon: () => {
        this.abandoned += 1
      },
      close: async () => undefined,
    })
    this.lane = new ReadLane({
      name: 'callers',
      readers: Array.from({ length: readers }, reader),
      limits: { ...limits, ...changes },
      metrics: {
        readsWaiting: () => undefined,
        readWaited: () => undefined,
        readDropped: (_, reason) => this.drops.push(reason),
      },
      now: () => {
        this.now += this.clockStepMs
        return this.now
      },
    })
  }

  /** Resolves to the title of the read, or to the message of its failure. */
  read(
    party: ReadParty,
    title: string,
    isGone = () => false,
    untilReadable: (() => Promise<void>) | null = null,
  ): Promise<string> {
    const read = (reader: LaneReader) => {
      assert.ok(reader)
      const { promise, resolve } = Promise.withResolvers<string>()
      const end = async () => {
        this.running.splice(this.running.indexOf(started), 1)
        resolve(title)
        await settled()
      }
      const started = { title, end }
      this.running.push(started)
      this.started.push(title)
      return promise
    }
    return this.lane.run({ party, isGone }, read, untilReadable).then(
      (answer) => {
        this.answers.push(answer)
        return answer
      },
      (error: Error) => {
        assert.equal(error.name, 'StoreUnavailable')
        return error.message
      },
    )
  }

  /** A read that first waits for the store. */
  readLater(title: string, readable: Promise<void>, isGone?: () => boolean): Promise<string> {
    return this.read(1, title, isGone, () => readable)
  }

  async endFirst(): Promise<void> {
    await this.running[0]!.end()
  }
}

/** What became of a read by now. */
async function outcomeOf(read: Promise<string>): Promise<string> {
  return Promise.race([read, settled().then(() => 'pending')])
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

suite('a lane of reads', () => {
  test('gives a reader the next read of an operator before the answer of the last', async () => {
    const lane = new TestLane({ readsMax: 2 })
    for (const title of ['a1', 'a2', 'a3']) void lane.read(1, title)
    assert.deepEqual(lane.started, ['a1', 'a2'], 'one reader of two')
    for (const title of ['b1', 'b2', 'b3']) void lane.read(2, title)
    void lane.read(3, 'c1')
    assert.deepEqual(lane.started, ['a1', 'a2', 'b1', 'b2'])
    await lane.endFirst()
    assert.equal(lane.started.at(-1), 'a3', 'which waits longest')
    await lane.endFirst()
    assert.equal(lane.started.at(-1), 'c1')
  })

  test('puts no read behind one of another operator that takes long', async () => {
    const lane = new TestLane({ readsMax: 2 })
    void lane.read(1, 'long')
    lane.now = 100
    for (const [party, title] of [
      [2, 'b1'],
      [3, 'c1'],
      [4, 'd1'],
    ] as const) {
      void lane.read(party, title)
    }
    assert.deepEqual(lane.started, ['long', 'b1', 'c1'], 'c1 is behind b1')
    await lane.running[1]!.end()
    assert.equal(lane.started.at(-1), 'd1')
    void lane.read(1, 'behind its own')
    assert.equal(lane.started.at(-1), 'behind its own')
    lane.now = 200
    await lane.endFirst()
    void lane.read(5, 'e1')
    assert.equal(lane.started.at(-1), 'e1', 'the read before it has just begun')
  })

  test('gives a read its reader also if the one before it ceases to have just begun', async () => {
    for (let stepMs = 1; stepMs <= 20; stepMs += 1) {
      const lane = new TestLane({ readers: 1, readsMax: 2 })
      void lane.read(1, 'a1')
      lane.clockStepMs = stepMs
      const answer = lane.read(2, 'b1')
      while (lane.running.length > 0) await lane.endFirst()
      assert.equal(await answer, 'b1', `the clock advances by ${stepMs} ms at a time`)
    }
  })

  test('makes a read wait for one read of an operator that has a thousand waiting', async () => {
    const lane = new TestLane({ readers: 1 })
    for (let at = 0; at < 1_000; at += 1) void lane.read(1, `list ${at}`)
    void lane.read(2, 'single')
    await lane.endFirst()
    await lane.endFirst()
    assert.deepEqual(lane.started, ['list 0', 'list 1', 'single'])
  })

  test('serves many operators in turn, one read each', async () => {
    const lane = new TestLane({ readers: 1 })
    for (const operator of [1, 2, 3]) {
      for (let at = 0; at < 3; at += 1) void lane.read(operator, `${operator}.${at}`)
    }
    for (let at = 0; at < 8; at += 1) await lane.endFirst()
    // The first read of the first operator runs before any other waits.
    const turns = ['1.0', '1.1', '2.0', '3.0', '1.2', '2.1', '3.1', '2.2', '3.2']
    assert.deepEqual(lane.started, turns)
  })

  test('keeps half of its readers free of an operator that has more to read', async () => {
    const lane = new TestLane({ readers: 4 })
    for (let at = 0; at < 10; at += 1) void lane.read(1, `list ${at}`)
    assert.deepEqual(lane.started, ['list 0', 'list 1'])
    void lane.read(2, 'single')
    assert.deepEqual(lane.started, ['list 0', 'list 1', 'single'])
  })

  test('gives all callers without a key one share, in rotation over the addresses', async () => {
    const lane = new TestLane({ readers: 1 })
    for (let at = 0; at < 5; at += 1) void lane.read('10.0.0.1', `a${at}`)
    for (let at = 0; at < 2; at += 1) void lane.read('10.0.0.2', `b${at}`)
    for (let at = 0; at < 3; at += 1) void lane.read(1, `operator ${at}`)
    for (let at = 0; at < 6; at += 1) await lane.endFirst()
    const turns = ['a0', 'a1', 'operator 0', 'b0', 'operator 1', 'a2', 'operator 2']
    assert.deepEqual(lane.started, turns)
  })

  test('refuses a party that has too many reads waiting, and no other', async () => {
    const lane = new TestLane({ readers: 1, waitingMax: 3, waitingOfAddressMax: 2 })
    for (let at = 0; at < 4; at += 1) void lane.read(1, `list ${at}`)
    assert.match(await outcomeOf(lane.read(1, 'one more')), /Too many reads/)
    for (let at = 0; at < 2; at += 1) void lane.read('10.0.0.1', `a${at}`)
    assert.match(await outcomeOf(lane.read('10.0.0.1', 'one more')), /Too many reads/)
    void lane.read(2, 'single')
    void lane.read('10.0.0.2', 'b0')
    for (let at = 0; at < 5; at += 1) await lane.endFirst()
    assert.ok(lane.answers.includes('single'))
    assert.deepEqual(lane.drops, ['full', 'full'])
  })

  test('refuses a party whose oldest read has waited too long, and no other', async () => {
    const lane = new TestLane({ readers: 1 })
    void lane.read(1, 'long')
    void lane.read(1, 'waiting')
    lane.now = limits.waitMsMax
    assert.match(await outcomeOf(lane.read(1, 'late')), /waited too long/)
    void lane.read(2, 'single')
    await lane.endFirst()
    void lane.read(1, 'next')
    await lane.endFirst()
    await lane.endFirst()
    assert.deepEqual(lane.started, ['long', 'waiting', 'single', 'next'])
    assert.deepEqual(lane.drops, ['slow'])
  })

  test('drops the read of a caller that has gone before it starts', async () => {
    const lane = new TestLane({ readers: 1 })
    void lane.read(1, 'running')
    let isGone = false
    const dropped = lane.read(2, 'dropped', () => isGone)
    const dropping = lane.read(2, 'dropped, too', () => isGone)
    void lane.read(3, 'next')
    isGone = true
    await lane.endFirst()
    lane.lane.check()
    assert.match(await outcomeOf(dropped), /has gone/)
    assert.match(await outcomeOf(dropping), /has gone/)
    assert.deepEqual(lane.started, ['running', 'next'])
    assert.deepEqual(lane.drops, ['gone', 'gone'])
    void lane.read(2, 'again')
    await lane.endFirst()
    assert.equal(lane.started.at(-1), 'again', 'its operator can read again')
  })

  test('drops waiting reads whose deadline has passed, which count no longer', async () => {
    const lane = new TestLane({ readers: 1, waitingMax: 1, waitMsMax: 60_000 })
    void lane.read(2, 'running')
    const late = lane.read(1, 'late')
    lane.now = limits.deadlineMs
    lane.lane.check()
    assert.match(await outcomeOf(late), /not done in time/)
    void lane.read(1, 'next')
    await lane.endFirst()
    assert.deepEqual(lane.started, ['running', 'next'])
  })

  for (const reason of ['late', 'gone'] as const) {
    test(`abandons a running read that is ${reason}; its reader is free when it ends`, async () => {
      const lane = new TestLane({ readers: 1 })
      let isGone = false
      const abandoned = lane.read(1, 'abandoned', () => isGone)
      if (reason === 'gone') isGone = true
      else lane.now = limits.deadlineMs
      lane.lane.check()
      lane.lane.check()
      assert.match(await outcomeOf(abandoned), reason === 'gone' ? /has gone/ : /not done in time/)
      assert.equal(lane.abandoned, 1)
      assert.deepEqual(lane.drops, [reason])
      void lane.read(2, 'next')
      assert.deepEqual(lane.started, ['abandoned'])
      await lane.endFirst()
      assert.deepEqual(lane.started, ['abandoned', 'next'])
    })
  }

  test('looks for late reads by itself, as long as there are reads', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] })
    const lane = new TestLane({ readers: 1 })
    for (const round of ['first', 'second']) {
      const late = lane.read(1, round)
      lane.now += limits.deadlineMs
      context.mock.timers.tick(50)
      assert.match(await outcomeOf(late), /not done in time/, round)
      await lane.endFirst()
      context.mock.timers.tick(50)
    }
  })

  test('goes on after a read that fails', async () => {
    const lane = new TestLane({ readers: 1 })
    const failing = () => {
      throw new Error('broken')
    }
    const caller = { party: 1, isGone: () => false }
    await assert.rejects(lane.lane.run(caller, failing), { message: 'broken' })
    void lane.read(1, 'next')
    assert.deepEqual(lane.started, ['next'])
  })

  test('that is closed fails what waits and finishes what runs', async () => {
    const lane = new TestLane({ readers: 1 })
    const running = lane.read(1, 'running')
    const waiting = lane.read(1, 'waiting')
    await lane.lane.close()
    assert.match(await outcomeOf(waiting), /closed/)
    await lane.endFirst()
    assert.equal(await running, 'running')
    assert.match(await outcomeOf(lane.read(1, 'after')), /closed/)
  })
})

suite('a read that waits for the store', () => {
  test('occupies no reader, and starts when the store has what it must see', async () => {
    const lane = new TestLane({ readers: 1 })
    const store = Promise.withResolvers<void>()
    void lane.readLater('later', store.promise)
    void lane.read(2, 'other')
    await lane.endFirst()
    assert.deepEqual(lane.started, ['other'])
    store.resolve()
    await settled()
    assert.deepEqual(lane.started, ['other', 'later'])
  })

  test('is dropped after its deadline, and when its caller has gone', async () => {
    const lane = new TestLane()
    const store = Promise.withResolvers<void>()
    let isGone = false
    const gone = lane.readLater('gone', store.promise, () => isGone)
    const late = lane.readLater('late', store.promise)
    isGone = true
    lane.lane.check()
    assert.equal(await outcomeOf(gone), 'The caller of the read has gone.')
    assert.equal(await outcomeOf(late), 'pending')
    lane.now = limits.deadlineMs
    lane.lane.check()
    assert.equal(await outcomeOf(late), 'The read was not done in time.')
    store.resolve()
    await settled()
    assert.deepEqual(lane.started, [])
    assert.deepEqual(lane.drops, ['gone', 'late'])
  })

  test('has a deadline that counts from its call', async () => {
    const lane = new TestLane({ readers: 1 })
    const store = Promise.withResolvers<void>()
    void lane.read(2, 'running')
    const late = lane.readLater('late', store.promise)
    lane.now = limits.deadlineMs - 1
    store.resolve()
    await settled()
    assert.equal(await outcomeOf(late), 'pending')
    lane.now += 1
    lane.lane.check()
    assert.equal(await outcomeOf(late), 'The read was not done in time.')
  })

  test('is dropped after its deadline also if no other read is there', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] })
    const lane = new TestLane()
    const late = lane.readLater('late', new Promise(() => {}))
    context.mock.timers.tick(50)
    lane.now = limits.deadlineMs
    context.mock.timers.tick(50)
    assert.equal(await outcomeOf(late), 'The read was not done in time.')
  })

  test('is not refused because of that wait', async () => {
    const lane = new TestLane({ readers: 1 })
    const store = Promise.withResolvers<void>()
    for (const title of ['first', 'second', 'third']) void lane.readLater(title, store.promise)
    lane.now = limits.waitMsMax * 2
    store.resolve()
    await settled()
    await lane.endFirst()
    await lane.endFirst()
    await lane.endFirst()
    assert.deepEqual(lane.answers, ['first', 'second', 'third'])
  })

  test('fails with the store, and when the lane is closed', async () => {
    const lane = new TestLane()
    const error = new StoreUnavailable('The disk is full.')
    const failed = lane.readLater('failed', Promise.reject(error))
    assert.equal(await outcomeOf(failed), 'The disk is full.')
    const closed = lane.readLater('closed', new Promise(() => {}))
    await lane.lane.close()
    assert.equal(await outcomeOf(closed), 'The store is closed.')
  })
})
