// When the files of pages are read.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pageOf, pagesOf } from './page-files.ts'

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

test('a page is read once for all that wait, and again if it could not be read', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-pages-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'page.js')
  const read = pageOf('page.js', path)
  await assert.rejects(read())
  writeFileSync(path, 'export {}')
  const [first, second] = await Promise.all([read(), read()])
  assert.equal(first?.bytes.toString(), 'export {}')
  assert.equal(second, first)
})
