// Tests that no file of the project escapes the rules, with git and without.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { checkTree, listFiles, projectRoot } from './tree.ts'
import { assertNone, lineAt } from './violation.ts'

describe('tree', () => {
  test('the files of the project are found, and what is installed is not', () => {
    const paths = listFiles(projectRoot)
    for (const expected of ['package.json', '.ci/run', 'test/tidy/tree.test.ts']) {
      assert.ok(paths.includes(expected), `${expected} is listed`)
    }
    assert.ok(!paths.some((path) => path.startsWith('node_modules/')), 'node_modules is not listed')
  })

  test('a rule sees the path and the text of every file', () => {
    const seen = checkTree((path, text) => [{ path, line: 1, message: text }])
    const own = seen.find(({ path }) => path === 'test/tidy/tree.test.ts')
    assert.match(own?.message ?? '', /^\/\/ Tests that no file of the project escapes the rules/)
  })

  test('without git the folders are walked', (t) => {
    const root = mkdtempSync(join(tmpdir(), 'outcry-tidy-'))
    t.after(() => rmSync(root, { recursive: true }))
    const planted = ['README.md', '.ci/run', 'src/data/a.ts', 'data/a.db', 'node_modules/a/b.js']
    for (const path of [...planted, 'client/node_modules/a.js', 'out.log']) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '')
    }
    assert.deepEqual(listFiles(root), ['.ci/run', 'README.md', 'src/data/a.ts'])
  })

  test('a failure shows each violation as path, line and message', () => {
    const violations = [{ path: 'src/a.ts', line: 7, message: 'rule: what to do.' }]
    assert.throws(() => assertNone(violations), /\n {2}src\/a\.ts:7 rule: what to do\.\n/)
  })

  test('a line is counted from one, and a line end belongs to its line', () => {
    assert.deepEqual(
      [0, 1, 2, 4, 5].map((position) => lineAt('a\nb\n\n', position)),
      [1, 1, 2, 3, 4],
    )
  })
})
