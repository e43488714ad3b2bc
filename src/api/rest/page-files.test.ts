// How often the files of pages are read.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pagesOf } from './page-files.ts'

test('pages are read again until they are built, and then once for all that wait', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-pages-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const read = pagesOf(folder)
  assert.equal(await read(), null)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Outcry</title>')
  const [first, second] = await Promise.all([read(), read()])
  assert.equal(first?.size, 1)
  assert.equal(second, first)
  assert.equal(await read(), first)
})

test('pages that could not be read are read again', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'outcry-pages-')), 'dist')
  t.after(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
  // A file in the place of the folder.
  writeFileSync(folder, '')
  const read = pagesOf(folder)
  await assert.rejects(read())
  rmSync(folder)
  assert.equal(await read(), null)
})
