// The core must be deterministic.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkPurity } from './purity.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

const bad: readonly string[] = [
  'const now = Date.now()',
  'const started = new Date()',
  'const id = Math.random()',
  'const id = Math . random ()',
  'const port = process.env.PORT',
  'const rows = await load()',
  'export async function place() {}',
  'setTimeout(expire, 1)',
  'names.sort((a, b) => a.localeCompare(b))',
]

const good: readonly [claim: string, text: string][] = [
  ['a comment that mentions Date', '// Date and process are the caller’s.\n'],
  ['a string that contains await', "const word = 'await'\n"],
  ['a longer name that contains a forbidden one', 'const updatedAt = lastDate + processing\n'],
  ['arithmetic', 'const floor = Math.floor(1.5)\n'],
]

describe('the purity rule', () => {
  for (const line of bad) {
    test(`rejects in the core: ${line}`, () => {
      assert.equal(checkPurity('src/core/place.ts', `// A file.\n${line}\n`).length, 1)
    })
  }

  for (const [claim, text] of good) {
    test(`accepts ${claim}`, () => assertNone(checkPurity('src/core/place.ts', text)))
  }

  test('ignores other rooms and tests', () => {
    assertNone(checkPurity('src/engine/clock.ts', 'Date.now()'))
    assertNone(checkPurity('src/core/place.test.ts', 'Date.now()'))
  })

  test('holds for the project', () => assertNone(checkTree(checkPurity)))
})
