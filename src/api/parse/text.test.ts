// Which texts are accepted: no control characters and no halves of surrogate pairs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLine, isProse, isUuid } from './text.ts'

test('a line has no control characters; prose may have tabs and line breaks', () => {
  for (const text of ['', 'Rain?', 'ü ñ 雨 🎲', "O'Neill; --"]) {
    assert.ok(isLine(text))
    assert.ok(isProse(text))
  }
  for (const text of ['a\tb', 'a\nb', 'a\r\nb']) {
    assert.ok(!isLine(text))
    assert.ok(isProse(text))
  }
  for (const text of ['\u0000', 'a\u0007', '\u001b[31m', '\ud83c', '\udfb2\ud83c']) {
    assert.ok(!isLine(text))
    assert.ok(!isProse(text))
  }
})

test('a UUID is recognised by its form alone', () => {
  assert.ok(isUuid('00000000-0000-0000-0000-000000000000'))
  assert.ok(isUuid('019B76DA-a800-7000-85e6-211d422cb128'))
  for (const text of ['', 'x', '019b76daa800700085e6211d422cb128']) assert.ok(!isUuid(text))
  assert.ok(!isUuid('019b76da-a800-7000-85e6-211d422cb128\n'))
})
