// The text and the rows of a CSV file that is gathered from pages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvFileOf } from './csv-file.ts'

test('gathers pages, and counts rows but not their line breaks in quotes', async () => {
  const shown: number[] = []
  const pages = ['id,title\n1,"a ""b""\nc"\n', '2,d\n3,"e,\n\n"\n']
  const { parts, rows, isCut } = await csvFileOf(pagesOf(pages), (count) => shown.push(count))
  assert.deepEqual([parts, rows, isCut], [pages, 3, false])
  assert.deepEqual(shown, [1, 3])
})

test('is cut off after the limit only if there are more rows', async () => {
  const pages = ['id\n1\n2\n', '3\n4\n']
  const whole = await csvFileOf(pagesOf(pages), () => {}, 4)
  assert.deepEqual([whole.rows, whole.isCut], [4, false])
  const cut = await csvFileOf(pagesOf([...pages, '5\n', '6\n']), () => {}, 4)
  assert.deepEqual(cut, { parts: pages, rows: 4, isCut: true })
  const none = await csvFileOf(pagesOf(['id\n']), () => {}, 4)
  assert.deepEqual([none.rows, none.isCut], [0, false])
})

async function* pagesOf(pages: readonly string[]): AsyncGenerator<string> {
  yield* pages
}
