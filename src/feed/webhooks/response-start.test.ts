// The start of a response as it is stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { responseBytesMax, responseText } from './response-start.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))

test('a response is cut after 256 bytes, never within a character', () => {
  assert.equal(responseBytesMax, 256)
  assert.equal(responseText([bytes('a'.repeat(200)), bytes('b'.repeat(200))]).length, 256)
  assert.equal(responseText([bytes(`${'a'.repeat(255)}é`)]), 'a'.repeat(255))
  assert.equal(responseText([bytes('明日'), bytes('は')]), '明日は')
  assert.equal(responseText([]), '')
})

test('control characters, overrides of direction and broken bytes do not get through', () => {
  const nasty = 'a\u0000b\u001b[31mc\r\nd\u202ee\u2028f\ufefff'
  assert.equal(responseText([bytes(nasty)]), 'a b [31mc d e f f')
  const binary = Uint8Array.from({ length: 256 }, (_, at) => at)
  const text = responseText([binary])
  assert.ok(!/[\p{C}]/u.test(text.replaceAll('\ufffd', '')), JSON.stringify(text))
  assert.ok(text.isWellFormed())
})
