// Leftovers of development, and similar text that is allowed.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkLeftovers } from './leftovers.ts'
import { checkTree } from './tree.ts'
import { assertNone } from './violation.ts'

const bad: readonly string[] = [
  'a // TODO: later',
  '/* FIXME */',
  '/**\n * XXX\n */',
  '// HACK',
  '// @ts-ignore',
  '// @ts-expect-error: it is fine',
  '// @ts-nocheck',
  '// biome-ignore lint/suspicious/noExplicitAny',
  '// biome-ignore lint/suspicious/noExplicitAny:',
  '// biome-ignore lint/suspicious/noExplicitAny: <explanation>',
  '// biome-ignore lint/suspicious/noExplicitAny: reasons',
  '// biome-ignore-all lint/suspicious/noExplicitAny:',
  `test.only('a', b)`,
  `describe.skip ('a', b)`,
  `test.todo('a')`,
  `test('a', { todo: true }, b)`,
  'if (a) debugger',
  'const a: any = b',
  'const a = b as any',
  'const a = b as any[]',
  'function a(b: any, c: string): void {}',
  `console.log('a')`,
  `console.error('a')`,
  'a(`${console.log(b)}`)',
]

const good: readonly string[] = [
  '// Methodology and todos are words like any other.',
  `const words = ['TODO', 'debugger', 'a: any', '// @ts-ignore', 'console.log(']`,
  'const pattern = /TODO|XXX|as any/',
  '// biome-ignore lint/suspicious/noExplicitAny: the driver types its rows so.',
  '// biome-ignore-all lint/suspicious/noConsole: a script speaks to its caller.',
  '// Say why with any luck, as any reader would: any reason will do.',
  'list.skipped(a)',
  'const only = a.only',
  'Promise.any(a)',
  'const a = b ? c : any(d)',
  'const debuggerPort = 9229',
  'consoleLog(a)',
]

describe('the leftovers rule', () => {
  for (const text of bad) {
    test(`rejects: ${text}`, () => {
      assert.equal(checkLeftovers('src/core/book.ts', text).length, 1)
    })
  }

  for (const text of good) {
    test(`accepts: ${text}`, () => assertNone(checkLeftovers('src/core/book.ts', text)))
  }

  test('allows benches and tests to print', () => {
    assertNone(checkLeftovers('bench/core.ts', `console.log('a')`))
    assertNone(checkLeftovers('test/sim/run.ts', `console.log('a')`))
  })

  test('reports the line and the text of a violation', () => {
    const [violation] = checkLeftovers('test/sim/run.ts', 'a\n\nb // FIXME c\n')
    assert.equal(violation?.line, 3)
    assert.match(violation?.message ?? '', /^leftovers: "FIXME" is not allowed; open an issue/)
  })

  test('ignores generated code and documents', () => {
    assertNone(checkLeftovers('src/api/grpc/generated/orders.ts', '// @ts-nocheck'))
    assertNone(checkLeftovers('CONTRIBUTING.md', '// TODO'))
  })

  test('holds for the project', () => assertNone(checkTree(checkLeftovers)))
})
