// Parties that share readers are served in round robin, within limits.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type LaneLimits, type LaneReader, ReadLane } from './read-lane.ts'
import type { ReadDrop, ReadParty } from './store.ts'

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
  readonly lane: ReadLane<LaneReader>

  constructor({
    readers = 2,
    ...changes
  }: Partial<LaneLimits> & { readonly readers?: number } = {}) {
    const reader = (): LaneReader => ({
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
      now: () => this.now,
    })
  }

  /** Resolves to the title of the read, or to the message of its failure. */
  read(party: ReadParty, title: string, isGone = () => false): Promise<string> {
    const read = () => {
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
    return this.lane.run({ party, isGone }, read).then(
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
