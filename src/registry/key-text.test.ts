// The text of keys: its format, and the detection of typing errors.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isKeyText, newKeyText } from './key-text.ts'

describe('the text of a key', () => {
  test('names its kind and has 49 letters and digits', () => {
    assert.match(newKeyText('live'), /^oc_live_[0-9A-Za-z]{49}$/)
    assert.match(newKeyText('admin'), /^oc_admin_[0-9A-Za-z]{49}$/)
  })

  test('is recognized as a key of its kind only', () => {
    for (let round = 0; round < 500; round += 1) {
      const text = newKeyText('live')
      assert.ok(isKeyText('live', text), text)
      assert.ok(!isKeyText('admin', text), text)
    }
  })

  test('is random in every position but the first', () => {
    const texts = Array.from({ length: 500 }, () => newKeyText('live').slice(9))
    for (let place = 0; place < 42; place += 1) {
      const digits = new Set(texts.map((text) => text[place]))
      assert.ok(digits.size > 50, `place ${place} has ${digits.size} digits`)
    }
  })

  test('is invalid with one character changed, left out or swapped with the next', () => {
    const text = newKeyText('live')
    for (let at = 8; at < text.length; at += 1) {
      const [before, letter, after] = [text.slice(0, at), text[at]!, text.slice(at + 1)]
      assert.ok(!isKeyText('live', before + (letter === 'x' ? 'y' : 'x') + after), `changed ${at}`)
      assert.ok(!isKeyText('live', before + after), `left out ${at}`)
      const next = after[0] ?? letter
      const exchanged = before + next + letter + after.slice(1)
      assert.ok(next === letter || !isKeyText('live', exchanged), `exchanged ${at}`)
    }
  })

  test('is invalid with anything before or after it', () => {
    const text = newKeyText('live')
    for (const odd of ['', ` ${text}`, `${text} `, `${text}\n`, text.toUpperCase(), 'oc_live_']) {
      assert.ok(!isKeyText('live', odd), JSON.stringify(odd))
    }
  })
})
