// Tests of how functions are found: each case lists the functions with the lines they span.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFunctions } from './functions.ts'
import { scan } from './scan.ts'
import { lineAt } from './violation.ts'

const cases: readonly { claim: string; text: string; found: string[] }[] = [
  {
    claim: 'a declaration',
    text: 'export async function place(\n  a: A,\n) {\n}',
    found: ['place 1-4'],
  },
  {
    claim: 'a generic declaration with a return type in braces',
    text: 'function pick<T extends A>(a: T): { b: T }[] | Map<A, { b: B }> {\n}',
    found: ['pick 1-2'],
  },
  {
    claim: 'a return type that is a function',
    text: 'function later(): () => void {\n}',
    found: ['later 1-2'],
  },
  {
    claim: 'a return type over several lines',
    text: 'function answer(a: A):\n  | { ok: true }\n  | { ok: false } {\n}',
    found: ['answer 1-4'],
  },
  {
    claim: 'a type guard',
    text: "function isBuy(side: Side): side is 'BUY' {\n}",
    found: ['isBuy 1-2'],
  },
  {
    claim: 'methods, accessors and constructors of a class, but not the class',
    text: [
      'class A extends made(B) {',
      '  constructor() {\n  }',
      '  get b(): B {\n  }',
      '  #c(d) {\n  }\n}',
    ].join('\n'),
    found: ['constructor 2-3', 'b 4-5', '#c 6-7'],
  },
  {
    claim: 'arrows with and without a type',
    text: [
      'const a = (b) => {\n}',
      'const c = async (d: D): Promise<E> => {\n}',
      'const f: F = g => {\n}',
    ].join('\n'),
    found: ['a 1-2', 'c 3-4', 'f 5-6'],
  },
  {
    claim: 'an arrow that answers with an object or a list',
    text: 'const a = () => ({\n})\nconst b = () => [\n]',
    found: ['a 1-2', 'b 3-4'],
  },
  {
    claim: 'a callback inside a call has no name',
    text: 'list.map((a) => {\n})',
    found: ['an unnamed function 1-2'],
  },
  {
    claim: 'a function inside a function',
    text: 'function a() {\n  return function b() {\n  }\n}',
    found: ['a 1-4', 'b 2-3'],
  },
  {
    claim: 'no statement is a function',
    text: [
      'if (a) {\n}',
      'for await (const b of c) {\n}',
      'while (d) {\n}',
      'switch (e(f)) {\n  case g(h): {\n  }\n}',
      'try {\n} catch (i) {\n}',
    ].join('\n'),
    found: [],
  },
  {
    claim: 'no ternary and no signature is a function',
    text: [
      'const a = b ? c(d) : { e }',
      'if (f) {\n}',
      'interface G {\n  h(): I\n  j(k: L): { m: N }\n}',
    ].join('\n'),
    found: [],
  },
  {
    claim: 'brackets in strings and comments count for nothing',
    text: "function a() {\n  b('}') // }\n}",
    found: ['a 1-3'],
  },
]

describe('findFunctions', () => {
  for (const { claim, text, found } of cases) {
    test(claim, () => {
      const spans = findFunctions(scan(text).code)
      const lines = spans.map(
        ({ name, start, end }) => `${name} ${lineAt(text, start)}-${lineAt(text, end)}`,
      )
      assert.deepEqual(lines, found)
    })
  }

  test('only the callback of a suite is a suite', () => {
    const text = "describe('a', () => {\n  test('b', () => {\n    c((d) => {\n    })\n  })\n})"
    const suites = findFunctions(scan(text).code).map(({ isSuite }) => isSuite)
    assert.deepEqual(suites, [true, false, false])
  })
})
