// What the embedded store guarantees on a full disk, tested on a small disk in memory.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { serial } from '../support/core/steps.ts'
import { commitPending, headOf, prepare } from '../support/store/pending-turns.ts'
import { owner, participant, plainMarket, rows } from './sample-rows.ts'
import { failureOf, StoreFixture } from './store-fixture.ts'

const isRoot = process.getuid?.() === 0
const skip = isRoot ? false : 'NOT RUN: a small disk can be mounted by root only'
const block = Buffer.alloc(4_096)
const blocksMax = 16_384
const mib = 1024 * 1024

function smallDisk(context: TestContext, size = '4m'): string {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  context.after(() => {
    // Lazy, because a failed test may have left a store open.
    execFileSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** Leaves so many bytes. */
function fill(file: string, left = 0): void {
  const filling = openSync(file, 'w')
  try {
    for (let blocks = 0; blocks < blocksMax; blocks += 1) writeSync(filling, block)
    assert.fail('the disk is larger than expected')
  } catch (error) {
    assert.equal(error instanceof Error && 'code' in error && error.code, 'ENOSPC')
    ftruncateSync(filling, fstatSync(filling).size - left)
  } finally {
    closeSync(filling)
  }
}

function openScene(disk: string): Promise<StoreFixture> {
  const onFatal = (cause: Error) => assert.fail(cause)
  const folder = join(disk, 'data')
  return StoreFixture.open({
    open: () => openSqliteStore({ folder, onFatal }),
    remove: async () => {},
  })
}

function bigTurn(from: number) {
  return Array.from({ length: 500 }, (_, index) =>
    rows.newOrder({ serial: from + index, playerId: 'x'.repeat(100) }),
  )
}

/** Commits turns until one does not fit; returns its first serial. */
async function fillWithTurns(fixture: StoreFixture, from: number): Promise<number> {
  for (let first = from; first < from + 50_000; first += 1_000) {
    const failure = await fixture.commit(...bigTurn(first)).then(
      () => null,
      (error: unknown) => error,
    )
    if (failure !== null) return first
  }
  return assert.fail('the disk is never full')
}

suite('the embedded store on a full disk', { skip }, () => {
  test('aborts turns, still reads, and notices free space', async (context) => {
    const disk = smallDisk(context)
    const fixture = await openScene(disk)
    const filling = join(disk, 'filling')
    try {
      await fixture.commit(...plainMarket, rows.newOrder())
      const { registry } = fixture.store
      const { shard } = fixture
      const { reads } = shard
      fill(filling)
      const last = await fillWithTurns(fixture, 1_000)
      for (const first of [last, last + 1_000, last + 2_000]) {
        const failure = await failureOf(shard.commit(fixture.turn(bigTurn(first))))
        assert.deepEqual([failure.outcome, failure.isFull], ['aborted', true])
        assert.equal(await reads.order(owner, serial(first)), null)
        for (let stored = 1_000; stored < last; stored += 1_000) {
          assert.notEqual(await reads.order(owner, serial(stored + 499)), null)
        }
      }
      assert.equal(await shard.probe(), false)
      const name = 'x'.repeat(500_000)
      const [operator] = await registry.operators.all()
      await assert.rejects(registry.operators.put({ ...operator!, name }), {
        name: 'StoreUnavailable',
      })
      const stored = 1 + (last - 1_000) / 2
      assert.equal([...(await shard.load()).records.orders].length, stored)

      rmSync(filling)
      assert.equal(await shard.probe(), true)
      await fixture.commit(...bigTurn(last))
      await fixture.reopen()
      assert.notEqual(await fixture.shard.reads.order(owner, serial(last + 499)), null)
      assert.equal(await fixture.shard.reads.order(participant, serial(last + 499)), null)
    } finally {
      await fixture.store.close()
    }
  })

  test('aborts turns while too many cannot be derived', async (context) => {
    const disk = smallDisk(context, '40m')
    const fixture = await openScene(disk)
    const filling = join(disk, 'filling')
    try {
      fill(filling, 12 * mib)
      await fixture.commit(
        ...plainMarket,
        rows.marketDescription({ description: 'x'.repeat(9 * mib) }),
      )
      const failure = await failureOf(fixture.shard.commit(fixture.turn([rows.newOrder()])))
      assert.match(failure.message, /because too many are not in the tables: .*is full/)
      assert.deepEqual([failure.outcome, failure.isFull], ['aborted', true])
      rmSync(filling)
      assert.equal(await fixture.shard.probe(), true)
    } finally {
      await fixture.store.close()
    }
  })

  test('opens with everything that is pending, and reads', async (context) => {
    const disk = smallDisk(context)
    const folder = join(disk, 'data')
    const filling = join(disk, 'filling')
    await (await openScene(disk)).store.close()
    prepare(folder)
    commitPending(folder, 3, headOf(folder))
    fill(filling)
    const fixture = await openScene(disk)
    try {
      assert.equal(fixture.sequence, 3)
      assert.equal((await fixture.store.registry.operators.all()).length, 2)
      const failure = await failureOf(fixture.shard.commit(fixture.turn(plainMarket)))
      assert.deepEqual([failure.outcome, failure.isFull], ['aborted', true])
      rmSync(filling)
      assert.equal(await fixture.shard.probe(), true)
      await fixture.reopen()
      await fixture.commit(...plainMarket)
    } finally {
      await fixture.store.close()
    }
  })

  test('opens again with every committed turn after it was closed', async (context) => {
    const disk = smallDisk(context)
    const fixture = await openScene(disk)
    const filling = join(disk, 'filling')
    await fixture.commit(...plainMarket)
    await fixture.commit(...bigTurn(1_000))
    fill(filling)
    await failureOf(fixture.shard.commit(fixture.turn(bigTurn(2_000))))
    await fixture.store.close()
    rmSync(filling)
    const again = await openScene(disk)
    try {
      assert.equal(again.sequence, 2)
      assert.notEqual(await again.shard.reads.order(owner, serial(1_000)), null)
      assert.equal(await again.shard.reads.order(owner, serial(2_000)), null)
    } finally {
      await again.store.close()
    }
  })
})
