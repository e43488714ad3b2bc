// findImports on example source.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findImports } from './imports.ts'

/** One string per import: its line number and the specifier. */
function found(text: string): string[] {
  return findImports(text).map(({ line, specifier }) => `${line} ${specifier ?? '?'}`)
}

describe('findImports', () => {
  test('finds every static form', () => {
    const text = [
      `import a from 'a'`,
      `import * as b from "b"`,
      `import { c,`,
      `  d as e,`,
      `} from './c.ts'`,
      `import './d.ts'`,
      `export { f } from './e.ts'`,
      `export * from './f.ts'`,
      `import g from './g.json' with { type: 'json' }`,
    ].join('\n')
    const expected = ['1 a', '2 b', '3 ./c.ts', '6 ./d.ts', '7 ./e.ts', '8 ./f.ts', '9 ./g.json']
    assert.deepEqual(found(text), expected)
  })

  test('finds imports and exports of types, and of values named type', () => {
    const text = `import type { A } from 'a'\nexport type * from 'b'\nimport type C from 'c'`
    assert.deepEqual(found(text), ['1 a', '2 b', '3 c'])
    assert.deepEqual(found(`import { type A, b } from 'a'\nimport type from 'b'`), ['1 a', '2 b'])
  })

  test('does not take an exported type for a part of the next import', () => {
    assert.deepEqual(found(`export type A = B\nimport { c } from 'c'`), ['2 c'])
  })

  test('finds dynamic imports, also in types', () => {
    const text = `await import('./a.ts')\nimport(\n  \`b\`,\n)\ntype C = import("c").D`
    assert.deepEqual(found(text), ['1 ./a.ts', '2 b', '5 c'])
  })

  test('finds a computed import without its target', () => {
    const text = `import(a)\nimport(\`./\${b}.ts\`)\nimport('./' + c)`
    assert.deepEqual(found(text), ['1 ?', '2 ?', '3 ?'])
  })

  test('ignores text that only looks like an import', () => {
    const text = [
      `// import a from 'a'`,
      `const b = "import c from 'c'"`,
      `d.import('e')`,
      `const here = import.meta.url`,
      `export const from = 'f'`,
      'export const sql = `select a from ${"b"}`',
      `export const g = Array.from('h')`,
    ].join('\n')
    assert.deepEqual(found(text), [])
  })
})
