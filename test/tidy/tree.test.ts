// The rules see every file of the project, with git and without.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { checkTree, listFiles, projectRoot } from './tree.ts'
import { assertNone, lineAt } from './violation.ts'

describe('tree', () => {
  test('lists the files of the project, but not installed packages', () => {
    const paths = listFiles(projectRoot)
    for (const expected of ['package.json', '.ci/run', 'test/tidy/tree.test.ts']) {
      assert.ok(paths.includes(expected), `${expected} is listed`)
    }
    assert.ok(!paths.some((path) => path.startsWith('node_modules/')), 'node_modules is not listed')
  })

  test('passes the path and the text of every file to a rule', () => {
    const seen = checkTree((path, text) => [{ path, line: 1, message: text }])
    const own = seen.find(({ path }) => path === 'test/tidy/tree.test.ts')
    assert.match(own?.message ?? '', /^\/\/ The rules see every file of the project/)
  })

  test('lists the files in the folders if there is no git', (t) => {
    const root = mkdtempSync(join(tmpdir(), 'outcry-tidy-'))
    t.after(() => rmSync(root, { recursive: true }))
    const examples = ['README.md', '.ci/run', 'src/data/a.ts', 'data/a.db', 'node_modules/a/b.js']
    for (const path of [...examples, 'client/node_modules/a.js', 'out.log']) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '')
    }
    assert.deepEqual(listFiles(root), ['.ci/run', 'README.md', 'src/data/a.ts'])
  })

  test('a failure lists each violation with path, line and message', () => {
    const violations = [{ path: 'src/a.ts', line: 7, message: 'rule: what to do.' }]
    assert.throws(() => assertNone(violations), /\n {2}src\/a\.ts:7 rule: what to do\.\n/)
  })

  test('lines are counted from 1, and a line end belongs to its line', () => {
    assert.deepEqual(
      [0, 1, 2, 4, 5].map((position) => lineAt('a\nb\n\n', position)),
      [1, 1, 2, 3, 4],
    )
  })
})
