// The size of a text in bytes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utf8Length } from './utf8.ts'

test('a text has as many bytes as its encoding', () => {
  const texts = ['', 'rain', 'é', 'ß\u07ff', '\u0800', '€', '\uffff', '😀', 'a😀b', '\u{10ffff}']
  const halves = ['\ud83d', '\ude00', '\ude00\ud83d', '\ud83d\ud83d\ude00', 'a\ud83d']
  for (const text of [...texts, ...halves]) {
    assert.equal(utf8Length(text), new TextEncoder().encode(text).length, JSON.stringify(text))
  }
})
