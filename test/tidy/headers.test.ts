// The comment at the start of each source file.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkHeaders } from './headers.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

const bad: readonly [claim: string, text: string, message: RegExp][] = [
  ['no comment', `import a from 'a'\n`, /starts without a comment/],
  ['an empty file', '', /starts without a comment/],
  ['a blank line before the comment', '\n// A book.\n', /starts without a comment/],
  ['a comment without words', '// ----------\n\nexport {}\n', /starts without a comment/],
  ['five lines', '// A.\n// B.\n// C.\n// D.\n// E.\n', /has 5 lines, at most 4/],
  ['five lines in a block', '/*\n * A.\n * B.\n * C.\n */\n', /has 5 lines, at most 4/],
]

const good: readonly [claim: string, text: string][] = [
  ['one line', '// A book.\n'],
  ['four lines', '// A.\n// B.\n// C.\n// D.\n\n// Another comment.\n'],
  ['a block of one line', '/** A book. */\nexport {}\n'],
]

describe('the headers rule', () => {
  for (const [claim, text, message] of bad) {
    test(`rejects ${claim}`, () => {
      const violations = checkHeaders('src/core/book.ts', text)
      assert.equal(violations.length, 1)
      assert.match(violations[0]!.message, message)
    })
  }

  for (const [claim, text] of good) {
    test(`accepts ${claim}`, () => assertNone(checkHeaders('src/core/book.ts', text)))
  }

  test('ignores generated code and files outside src', () => {
    assertNone(checkHeaders('src/api/grpc/generated/orders.ts', ''))
    assertNone(checkHeaders('bench/core.ts', ''))
  })

  test('holds for the project', () => assertNone(checkTree(checkHeaders)))
})
