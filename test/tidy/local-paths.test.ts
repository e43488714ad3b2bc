// Paths of one machine. The examples are assembled from pieces, because the rule also checks this
// file.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkLocalPaths } from './local-paths.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

function pathOf(...segments: string[]): string {
  return segments.join('/')
}

const bad: readonly string[] = [
  pathOf('', 'work', 'main', 'README.md'),
  `See file://${pathOf('', 'work', 'notes.md')}.`,
  pathOf('', 'Users', 'ada', 'outcry'),
  `[notes](${pathOf('..', 'shared', 'notes.md')})`,
  pathOf('..', '..', 'shared'),
]

const good: readonly string[] = [
  'https://example.com/network/a',
  'GET /users/7',
  'src/core/workload.ts',
  'work/main',
]

describe('the local-paths rule', () => {
  for (const text of bad) {
    test(`rejects: ${text}`, () => {
      const violations = checkLocalPaths('docs/operating.md', `a\n${text}\n`)
      assert.equal(violations.length, 1)
      assert.equal(violations[0]?.line, 2)
    })
  }

  for (const text of good) {
    test(`accepts: ${text}`, () => assertNone(checkLocalPaths('docs/operating.md', text)))
  }

  test('holds for the project', () => assertNone(checkTree(checkLocalPaths)))
})
