// Tests of the paths that belong to one machine. The planted paths are put together from pieces,
// because this file is checked like any other.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkLocalPaths } from './local-paths.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

function planted(...segments: string[]): string {
  return segments.join('/')
}

const bad: readonly string[] = [
  planted('', 'work', 'main', 'README.md'),
  `See file://${planted('', 'work', 'notes.md')}.`,
  planted('', 'Users', 'ada', 'outcry'),
  `[notes](${planted('..', 'shared', 'notes.md')})`,
  planted('..', '..', 'shared'),
]

const good: readonly string[] = [
  'https://example.com/network/a',
  'GET /users/7',
  'src/core/workload.ts',
  'work/main',
]

describe('local paths', () => {
  for (const text of bad) {
    test(`refused: ${text}`, () => {
      const violations = checkLocalPaths('docs/operating.md', `a\n${text}\n`)
      assert.equal(violations.length, 1)
      assert.equal(violations[0]?.line, 2)
    })
  }

  for (const text of good) {
    test(`taken: ${text}`, () => assertNone(checkLocalPaths('docs/operating.md', text)))
  }

  test('the project names no path of one machine', () => assertNone(checkTree(checkLocalPaths)))
})
