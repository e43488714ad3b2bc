// findFunctions: each case lists the functions of a text with their first and last lines.

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
    claim: 'arrow functions with and without a type',
    text: [
      'const a = (b) => {\n}',
      'const c = async (d: D): Promise<E> => {\n}',
      'const f: F = g => {\n}',
    ].join('\n'),
    found: ['a 1-2', 'c 3-4', 'f 5-6'],
  },
  {
    claim: 'an arrow function that returns an object or an array',
    text: 'const a = () => ({\n})\nconst b = () => [\n]',
    found: ['a 1-2', 'b 3-4'],
  },
  {
    claim: 'a callback without a name',
    text: 'list.map((a) => {\n})',
    found: ['an unnamed function 1-2'],
  },
  {
    claim: 'a function inside a function',
    text: 'function a() {\n  return function b() {\n  }\n}',
    found: ['a 1-4', 'b 2-3'],
  },
  {
    claim: 'no function in statements',
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
    claim: 'no function in ternaries and signatures',
    text: [
      'const a = b ? c(d) : { e }',
      'if (f) {\n}',
      'interface G {\n  h(): I\n  j(k: L): { m: N }\n}',
    ].join('\n'),
    found: [],
  },
  {
    claim: 'a function with brackets in strings and comments',
    text: "function a() {\n  b('}') // }\n}",
    found: ['a 1-3'],
  },
]

describe('findFunctions finds', () => {
  for (const { claim, text, found } of cases) {
    test(claim, () => {
      const spans = findFunctions(scan(text).code)
      const lines = spans.map(
        ({ name, start, end }) => `${name} ${lineAt(text, start)}-${lineAt(text, end)}`,
      )
      assert.deepEqual(lines, found)
    })
  }

  test('a suite only in the callback of describe', () => {
    const text = "describe('a', () => {\n  test('b', () => {\n    c((d) => {\n    })\n  })\n})"
    const suites = findFunctions(scan(text).code).map(({ isSuite }) => isSuite)
    assert.deepEqual(suites, [true, false, false])
  })
})
