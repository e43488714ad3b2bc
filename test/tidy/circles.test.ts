// Tests of the rule against circles of imports, on planted files and on the real tree.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findCircles, type SourceFile } from './circles.ts'
import { listFiles, projectRoot, readText } from './tree.ts'
import { assertNone } from './violation.ts'

function planted(files: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(files).map(([path, text]) => ({ path, text }))
}

function* projectFiles(): Generator<SourceFile> {
  for (const path of listFiles(projectRoot)) {
    const text = readText(path)
    if (text !== undefined) yield { path, text }
  }
}

describe('circles', () => {
  test('files that import in one direction are accepted', () => {
    const files = planted({
      'src/core/a.ts': `import { b } from './b.ts'\nimport { c } from './c.ts'`,
      'src/core/b.ts': `import { c } from './c.ts'`,
      'src/core/c.ts': `import 'node:fs'`,
    })
    assertNone(findCircles(files))
  })

  test('two files that import each other are refused, naming the closing import', () => {
    const files = planted({
      'src/core/a.ts': `import { b } from './b.ts'`,
      'src/core/b.ts': `// Header.\nimport { a } from './a.ts'`,
    })
    const [violation, ...others] = findCircles(files)
    assert.deepEqual(others, [])
    assert.deepEqual([violation?.path, violation?.line], ['src/core/b.ts', 2])
    assert.match(violation!.message, /src\/core\/a\.ts -> src\/core\/b\.ts -> src\/core\/a\.ts/)
  })

  test('a circle of types alone is refused', () => {
    const files = planted({
      'src/core/a.ts': `import type { B } from './b.ts'`,
      'src/core/b.ts': `import { type A } from './a.ts'`,
    })
    assert.equal(findCircles(files).length, 1)
  })

  test('a circle over several folders is refused', () => {
    const files = planted({
      'bench/core/a.ts': `import '../http/b.ts'`,
      'bench/http/b.ts': `export * from '../support/c.ts'`,
      'bench/support/c.ts': `import { a } from '../core/a.ts'`,
    })
    assert.equal(findCircles(files).length, 1)
  })

  test('a file that imports itself is refused', () => {
    assert.equal(findCircles(planted({ 'src/a.ts': `import './a.ts'` })).length, 1)
  })

  test('generated files are not checked', () => {
    const files = planted({
      'src/generated/a.ts': `import './b.ts'`,
      'src/generated/b.ts': `import './a.ts'`,
    })
    assertNone(findCircles(files))
  })

  test('the project has no circles', () => assertNone(findCircles(projectFiles())))
})
