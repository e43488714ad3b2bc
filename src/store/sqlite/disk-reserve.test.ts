// The file that takes up disk space.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DiskReserve } from './disk-reserve.ts'

function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-reserve-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function sizeIn(folder: string): number {
  return statSync(join(folder, 'reserve')).size
}

test('a reserve is completed after a process that ended while it was filled', (context) => {
  const [whole, part] = [newFolder(context), newFolder(context)]
  assert.equal(new DiskReserve(whole).fill(), true)
  writeFileSync(join(part, 'reserve'), 'x'.repeat(64 * 1024))
  assert.equal(new DiskReserve(part).fill(), true)
  assert.equal(sizeIn(part), sizeIn(whole))
})

test('a reserve that was released is filled again, and only then', (context) => {
  const folder = newFolder(context)
  const reserve = new DiskReserve(folder)
  assert.equal(reserve.isReleased, false, 'there never was one')
  reserve.fill()
  const size = sizeIn(folder)
  assert.equal(reserve.release(), true)
  assert.deepEqual([reserve.isReleased, sizeIn(folder)], [true, 0])
  assert.equal(reserve.release(), false)
  assert.equal(new DiskReserve(folder).fill(), true)
  assert.deepEqual([reserve.isReleased, sizeIn(folder)], [false, size])
})
