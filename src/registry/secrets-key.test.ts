// Sealed texts: opened by the same key for the same owner, and by nothing else.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Seal, SealBroken } from './secrets-key.ts'

const secret = 'f00d'.repeat(16)

describe('a sealed text', () => {
  const seal = new Seal(randomBytes(32))
  const sealed = seal.close(secret, 'operator/webhook')

  test('is opened as it was', () => {
    assert.equal(seal.open(sealed, 'operator/webhook'), secret)
    assert.equal(seal.open(seal.close('', 'a'), 'a'), '')
  })

  test('does not show what is in it, and differs each time', () => {
    assert.ok(!sealed.includes(secret.slice(0, 8)))
    assert.notEqual(seal.close(secret, 'operator/webhook'), sealed)
  })

  test('says with which key it was made', () => {
    assert.equal(sealed.split('.')[1], seal.keyId)
    assert.ok(seal.hasMade(sealed))
    assert.ok(!new Seal(randomBytes(32)).hasMade(sealed))
  })

  test('is not opened for another owner', () => {
    assert.throws(() => seal.open(sealed, 'operator/another'), SealBroken)
  })

  test('is not opened with another key, even one that claims to be the same', () => {
    const other = new Seal(randomBytes(32))
    assert.throws(() => other.open(sealed, 'operator/webhook'), SealBroken)
    const renamed = sealed.replace(seal.keyId, other.keyId)
    assert.throws(() => other.open(renamed, 'operator/webhook'), SealBroken)
  })

  test('is not opened when any letter of it was changed', () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const letter = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + letter + sealed.slice(at + 1)
      // The last letter of a base64 text may carry bits that mean nothing.
      if (isSameBytes(changed, sealed)) continue
      assert.throws(() => seal.open(changed, 'operator/webhook'), SealBroken, `at ${at}`)
    }
  })

  test('is not opened when it is cut', () => {
    for (let length = 0; length < sealed.length; length += 1) {
      const cut = sealed.slice(0, length)
      assert.throws(() => seal.open(cut, 'operator/webhook'), SealBroken, `at ${length}`)
    }
  })
})

describe('a digest of a key', () => {
  test('is the same with the same secrets key and differs with another', () => {
    const [key, other] = [randomBytes(32), randomBytes(32)]
    assert.match(new Seal(key).digestOf('a'), /^v1\.[0-9a-f]{8}\.[0-9a-f]{64}$/)
    assert.equal(new Seal(key).digestOf('a'), new Seal(key).digestOf('a'))
    assert.notEqual(new Seal(key).digestOf('a'), new Seal(key).digestOf('b'))
    assert.notEqual(new Seal(key).digestOf('a'), new Seal(other).digestOf('a'))
  })
})

test('a secrets key of another length is refused', () => {
  assert.throws(() => new Seal(new Uint8Array(31)), /31 bytes, not 32/)
})

function isSameBytes(one: string, other: string): boolean {
  const bytesOf = (text: string) =>
    text
      .split('.')
      .map((part, at) => (at < 2 ? part : Buffer.from(part, 'base64url').toString('hex')))
  return bytesOf(one).join('.') === bytesOf(other).join('.')
}
