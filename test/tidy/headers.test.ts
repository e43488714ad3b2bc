// Tests of the comment that opens each source file.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkHeaders } from './headers.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

const bad: readonly [claim: string, text: string, message: RegExp][] = [
  ['no comment', `import a from 'a'\n`, /opens without a comment/],
  ['an empty file', '', /opens without a comment/],
  ['a blank line before the comment', '\n// A book.\n', /opens without a comment/],
  ['a comment without words', '// ----------\n\nexport {}\n', /opens without a comment/],
  ['five lines', '// A.\n// B.\n// C.\n// D.\n// E.\n', /has 5 lines, at most 4/],
  ['five lines in a block', '/*\n * A.\n * B.\n * C.\n */\n', /has 5 lines, at most 4/],
]

const good: readonly [claim: string, text: string][] = [
  ['one line', '// A book.\n'],
  ['four lines', '// A.\n// B.\n// C.\n// D.\n\n// Another comment.\n'],
  ['a block of one line', '/** A book. */\nexport {}\n'],
]

describe('headers', () => {
  for (const [claim, text, message] of bad) {
    test(`${claim}: refused`, () => {
      const violations = checkHeaders('src/core/book.ts', text)
      assert.equal(violations.length, 1)
      assert.match(violations[0]!.message, message)
    })
  }

  for (const [claim, text] of good) {
    test(`${claim}: taken`, () => assertNone(checkHeaders('src/core/book.ts', text)))
  }

  test('generated code and files outside src may open as they like', () => {
    assertNone(checkHeaders('src/api/grpc/generated/orders.ts', ''))
    assertNone(checkHeaders('bench/core.ts', ''))
  })

  test('every source file of the project has its header', () => assertNone(checkTree(checkHeaders)))
})
