// Tests of the rule that the core asks nothing of the world.

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
  ['a comment may speak of a Date', '// Date and process are the caller’s.\n'],
  ['a string may say await', "const word = 'await'\n"],
  ['a longer name is another word', 'const updatedAt = lastDate + processing\n'],
  ['arithmetic', 'const floor = Math.floor(1.5)\n'],
]

describe('purity', () => {
  for (const line of bad) {
    test(`the core may not say: ${line}`, () => {
      assert.equal(checkPurity('src/core/place.ts', `// A file.\n${line}\n`).length, 1)
    })
  }

  for (const [claim, text] of good) {
    test(claim, () => assertNone(checkPurity('src/core/place.ts', text)))
  }

  test('other rooms and tests may ask the world', () => {
    assertNone(checkPurity('src/engine/clock.ts', 'Date.now()'))
    assertNone(checkPurity('src/core/place.test.ts', 'Date.now()'))
  })

  test('the core of the project asks nothing', () => assertNone(checkTree(checkPurity)))
})
