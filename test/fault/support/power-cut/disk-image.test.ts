// What a disk holds after a cut: each case has a few changes and syncs of one file.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../support/process/random.ts'
import { imageAt, type UnsyncedFate } from './disk-image.ts'
import type { DiskEntry } from './disk-log.ts'

const before = new Map([['file', Buffer.from('aaaa')]])

function write(text: string, offset = 0, path = 'file'): DiskEntry {
  return { kind: 'write', atMs: 0, path, offset, data: Buffer.from(text) }
}

function sync(from: number, path = 'file'): DiskEntry {
  return { kind: 'sync', atMs: 0, path, from }
}

function contentAfter(entries: readonly DiskEntry[], fate: UnsyncedFate, path = 'file') {
  const cut = { at: entries.length, fateOf: () => fate }
  return imageAt(entries, cut, { before, random: new Random(1) })
    .files.get(path)
    ?.toString()
}

test('a write survives once its file was synced, and not the writes after it', () => {
  assert.equal(contentAfter([write('b'), sync(1), write('c', 1)], 'dropped'), 'baaa')
  assert.equal(contentAfter([write('b'), sync(1), write('c', 1)], 'kept'), 'bcaa')
})

test('a sync does not cover what was written while it ran', () => {
  assert.equal(contentAfter([write('b'), write('c', 1), sync(1)], 'dropped'), 'baaa')
})

test('a sync of another file keeps nothing', () => {
  assert.equal(contentAfter([write('b'), sync(1, 'other')], 'dropped'), 'aaaa')
})

test('each file has a fate of its own', () => {
  const entries = [write('b'), write('c', 0, 'other')]
  const fateOf = (path: string) => (path === 'file' ? 'kept' : 'dropped')
  const both = new Map([...before, ['other', Buffer.from('aaaa')]])
  const cut = { at: entries.length, fateOf } as const
  const { files } = imageAt(entries, cut, { before: both, random: new Random(1) })
  assert.deepEqual([...files.values()].map(String), ['baaa', 'aaaa'])
})

test('a new file survives only if its folder was synced', () => {
  const create: DiskEntry = { kind: 'create', atMs: 0, path: 'new' }
  const filled = [create, write('b', 0, 'new'), sync(2, 'new')]
  assert.equal(contentAfter(filled, 'dropped', 'new'), undefined)
  assert.equal(contentAfter([...filled, sync(3, '')], 'dropped', 'new'), 'b')
})

test('a torn write survives in whole sectors, some of them', () => {
  const content = contentAfter([write('b'.repeat(512 * 16))], 'torn') ?? ''
  const sectors = content.match(/.{512}/gs) ?? []
  assert.ok(sectors.some((sector) => sector === 'b'.repeat(512)))
  assert.ok(sectors.some((sector) => !sector.includes('b')))
})
