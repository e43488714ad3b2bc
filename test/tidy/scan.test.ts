// The scanner of the other rules: which text counts as code.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scan } from './scan.ts'

/** An underscore in the expected code stands for a blanked character. */
const cases: readonly { claim: string; text: string; code: string }[] = [
  {
    claim: 'a line comment is not code',
    text: 'a // {x\nb',
    code: 'a _____\nb',
  },
  {
    claim: 'a block comment keeps its line ends',
    text: 'a /* {\n{ */ b',
    code: 'a ____\n____ b',
  },
  {
    claim: 'a string keeps only its quotes',
    text: `a('it\\'s {', "}")`,
    code: `a('_______', "_")`,
  },
  {
    claim: 'a comment mark inside a string opens no comment',
    text: `a('http://b') + c`,
    code: `a('________') + c`,
  },
  {
    claim: 'a template is blanked, and the code inside it is not',
    text: 'a(`{x ${b({ c: `}${d}` })} }`) + e',
    code: 'a(`____{b({ c: `__{d}` })}__`) + e',
  },
  {
    claim: 'an escaped interpolation is text',
    text: 'a(`\\${b} \\` {`) + e',
    code: 'a(`__________`) + e',
  },
  {
    claim: 'a regex is blanked, with the slash and quote in its class',
    text: `a.replace(/[/'{]\\/{/g, b)`,
    code: `a.replace(/________/g, b)`,
  },
  {
    claim: 'a regex may follow a keyword',
    text: `return /'{/.test(a)`,
    code: `return /__/.test(a)`,
  },
  {
    claim: 'a slash behind a value divides',
    text: `(a + b) / c[0]! / d / e++ / f // '{`,
    code: `(a + b) / c[0]! / d / e++ / f _____`,
  },
  {
    claim: 'a slash that nothing closes on its line divides',
    text: `a = b >/ c\n'{'`,
    code: `a = b >/ c\n'_'`,
  },
  {
    claim: 'a lone apostrophe ends with its line',
    text: `<p>don't</p>\n{a}`,
    code: `<p>don'____>\n{a}`,
  },
]

describe('scan', () => {
  for (const { claim, text, code } of cases) {
    test(claim, () => assert.equal(scan(text).code, code.replaceAll('_', ' ')))
  }

  test('comments are kept at their positions and strings are not', () => {
    const text = `a('// no') // yes\n/* also */ b`
    assert.equal(scan(text).comments, `           // yes\n/* also */  `)
  })

  test('both results are as long as the text', () => {
    const text = 'a(`${b}\n`) /* c\n */ + "d'
    const { code, comments } = scan(text)
    assert.deepEqual([code.length, comments.length], [text.length, text.length])
  })
})
