// Each size limit is accepted exactly and exceeded by one.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkSizes, fileLinesMax, functionLinesMax, lineColumnsMax } from './sizes.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

function linesOf(count: number): string {
  return 'a\n'.repeat(count)
}

/** A declaration with exactly this many lines, including the first and the last. */
function functionOf(lines: number, opening = 'function place() {', closing = '}'): string {
  return `${opening}\n${linesOf(lines - 2)}${closing}\n`
}

describe('the sizes rule', () => {
  test('rejects a file with one line more than the maximum', () => {
    assertNone(checkSizes('src/core/book.ts', linesOf(fileLinesMax)))
    const [violation] = checkSizes('src/core/book.ts', linesOf(fileLinesMax + 1))
    assert.match(violation?.message ?? '', /the file has 401 lines, at most 400/)
  })

  test('counts a last line without a line end', () => {
    assert.equal(checkSizes('src/core/book.ts', `${linesOf(fileLinesMax)}a`).length, 1)
  })

  test('ignores generated code, migrations and documents', () => {
    const text = linesOf(fileLinesMax + 1)
    assertNone(checkSizes('src/api/grpc/generated/orders.ts', text))
    assertNone(checkSizes('src/store/migrations/0001-orders.ts', text))
    assertNone(checkSizes('docs/protocol/rest.md', text))
  })

  test('rejects a function with one line more than the maximum', () => {
    assertNone(checkSizes('bench/core.ts', `b\n${functionOf(functionLinesMax)}`))
    const violations = checkSizes('bench/core.ts', `b\n${functionOf(functionLinesMax + 1)}`)
    assert.equal(violations.length, 1)
    assert.equal(violations[0]?.line, 2)
    assert.match(violations[0]?.message ?? '', /place has 101 lines, at most 100/)
  })

  test('measures a test but not the suite around it', () => {
    const long = functionOf(functionLinesMax + 1, `test('a', () => {`, '})')
    const suite = functionOf(functionLinesMax + 1, `describe('a', () => {`, '})')
    assert.equal(checkSizes('src/core/book.test.ts', long).length, 1)
    assertNone(checkSizes('src/core/book.test.ts', suite))
    assert.equal(checkSizes('src/core/book.test.ts', `describe('a', () => {\n${long}})`).length, 1)
  })

  test('measures a function called describe outside of tests', () => {
    const call = functionOf(functionLinesMax + 1, `describe('a', () => {`, '})')
    assert.equal(checkSizes('src/core/book.ts', call).length, 1)
  })

  test('rejects a line with one column more than the maximum', () => {
    assertNone(checkSizes('test/sim/model.ts', `// ${'é'.repeat(lineColumnsMax - 3)}\n`))
    const violations = checkSizes('test/sim/model.ts', `\n// ${'é'.repeat(lineColumnsMax - 2)}\n`)
    assert.equal(violations[0]?.line, 2)
    assert.match(violations[0]?.message ?? '', /the line has 101 columns, at most 100/)
  })

  test('does not count URLs, but the text around them', () => {
    const address = `https://example.com/${'a'.repeat(lineColumnsMax)}`
    assertNone(checkSizes('src/core/book.ts', `// See ${address}.\n`))
    const wordy = `// ${'a'.repeat(lineColumnsMax)} ${address}\n`
    assert.equal(checkSizes('src/core/book.ts', wordy).length, 1)
  })

  test('holds for the project', () => assertNone(checkTree(checkSizes)))
})
