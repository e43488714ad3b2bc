// An encrypted text can be decrypted with the same key for the same owner only.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { DecryptionError, SecretsKey } from './secrets-key.ts'

const secret = 'f00d'.repeat(16)

describe('an encrypted text', () => {
  const key = new SecretsKey(randomBytes(32))
  const encrypted = key.encrypt(secret, 'operator/webhook')

  test('is decrypted to the original', () => {
    assert.equal(key.decrypt(encrypted, 'operator/webhook'), secret)
    assert.equal(key.decrypt(key.encrypt('', 'a'), 'a'), '')
  })

  test('does not reveal the original, and differs each time', () => {
    assert.ok(!encrypted.includes(secret.slice(0, 8)))
    assert.notEqual(key.encrypt(secret, 'operator/webhook'), encrypted)
  })

  test('contains the id of its key', () => {
    assert.equal(encrypted.split('.')[1], key.keyId)
    assert.ok(key.hasMade(encrypted))
    assert.ok(!new SecretsKey(randomBytes(32)).hasMade(encrypted))
  })

  test('cannot be decrypted for another owner', () => {
    assert.throws(() => key.decrypt(encrypted, 'operator/another'), DecryptionError)
  })

  test('cannot be decrypted with another key, even if it has the id of that key', () => {
    const other = new SecretsKey(randomBytes(32))
    assert.throws(() => other.decrypt(encrypted, 'operator/webhook'), DecryptionError)
    const renamed = encrypted.replace(key.keyId, other.keyId)
    assert.throws(() => other.decrypt(renamed, 'operator/webhook'), DecryptionError)
  })

  test('cannot be decrypted if any character of it was changed', () => {
    for (let at = 0; at < encrypted.length; at += 1) {
      const letter = encrypted[at] === 'A' ? 'B' : 'A'
      const changed = encrypted.slice(0, at) + letter + encrypted.slice(at + 1)
      // The last character of a base64 text may have unused bits.
      if (isSameBytes(changed, encrypted)) continue
      assert.throws(() => key.decrypt(changed, 'operator/webhook'), DecryptionError, `at ${at}`)
    }
  })

  test('cannot be decrypted if it is truncated', () => {
    for (let length = 0; length < encrypted.length; length += 1) {
      const cut = encrypted.slice(0, length)
      assert.throws(() => key.decrypt(cut, 'operator/webhook'), DecryptionError, `at ${length}`)
    }
  })
})

describe('the digest of an API key', () => {
  test('is the same with the same secrets key and differs with another', () => {
    const [key, other] = [randomBytes(32), randomBytes(32)]
    assert.match(new SecretsKey(key).digestOf('a'), /^v1\.[0-9a-f]{8}\.[0-9a-f]{64}$/)
    assert.equal(new SecretsKey(key).digestOf('a'), new SecretsKey(key).digestOf('a'))
    assert.notEqual(new SecretsKey(key).digestOf('a'), new SecretsKey(key).digestOf('b'))
    assert.notEqual(new SecretsKey(key).digestOf('a'), new SecretsKey(other).digestOf('a'))
  })
})

test('a secrets key must have 32 bytes', () => {
  assert.throws(() => new SecretsKey(new Uint8Array(31)), /must have 32 bytes, got 31/)
})

function isSameBytes(one: string, other: string): boolean {
  const bytesOf = (text: string) =>
    text
      .split('.')
      .map((part, at) => (at < 2 ? part : Buffer.from(part, 'base64url').toString('hex')))
  return bytesOf(one).join('.') === bytesOf(other).join('.')
}
