// Metadata: its maximum size and depth, and the keys it must not contain.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors.ts'
import { metadataOf } from './metadata.ts'

function nested(depth: number): object {
  return depth === 1 ? {} : { inner: nested(depth - 1) }
}

test('metadata is stored as its JSON text, and no metadata as null', () => {
  assert.equal(metadataOf({ a: [1, { b: null }] }), '{"a":[1,{"b":null}]}')
  assert.equal(metadataOf(null), null)
  assert.equal(metadataOf(undefined), null)
})

test('metadata is at most 8 levels deep and 16 KiB long', () => {
  assert.ok(!(metadataOf(nested(8)) instanceof Refusal))
  assert.ok(metadataOf(nested(9)) instanceof Refusal)
  assert.ok(
    metadataOf(JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)) instanceof Refusal,
  )
  const frame = JSON.stringify({ text: '' }).length
  assert.ok(!(metadataOf({ text: 'x'.repeat(16_384 - frame) }) instanceof Refusal))
  assert.ok(metadataOf({ text: 'x'.repeat(16_385 - frame) }) instanceof Refusal)
  assert.ok(metadataOf({ text: 'é'.repeat(8_192) }) instanceof Refusal)
})

test('a number that JSON cannot express is refused at any depth', () => {
  for (const text of ['{"a":1e400}', '{"a":[{"b":-1e400}]}']) {
    assert.ok(metadataOf(JSON.parse(text)) instanceof Refusal, text)
  }
  assert.equal(metadataOf({ a: 1e300 }), '{"a":1e+300}')
})

test('keys that reach prototypes are refused at any depth, also inside arrays', () => {
  for (const text of ['{"__proto__":1}', '{"a":{"constructor":1}}', '{"a":[{"prototype":1}]}']) {
    assert.ok(metadataOf(JSON.parse(text)) instanceof Refusal, text)
  }
})
