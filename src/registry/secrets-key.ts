// The uses of the secrets key: it encrypts webhook secrets, which the service must be able to read,
// and peppers the digests of API keys. The database alone reveals neither.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** A text was encrypted with another key or for another record, or is damaged. */
export class DecryptionError extends Error {
  override readonly name = 'SealBroken'
}

export const secretKeyLength = 32
const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const keyIdLength = 8

export class SecretsKey {
  /** Part of each encrypted text and digest: it identifies the key that was used. */
  readonly keyId: string
  readonly #encryption: KeyObject
  readonly #pepper: KeyObject

  constructor(secretKey: Uint8Array) {
    if (secretKey.length !== secretKeyLength) {
      const length = secretKey.length
      throw new RangeError(`secrets key must have ${secretKeyLength} bytes, got ${length}`)
    }
    const derive = (purpose: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', `outcry ${purpose}`, 32)))
    this.#encryption = derive('webhook secrets')
    this.#pepper = derive('api keys')
    this.keyId = derive('key id').export().toString('hex').slice(0, keyIdLength)
  }

  digestOf(apiKey: string): string {
    return this.withKeyId(createHmac('sha256', this.#pepper).update(apiKey).digest('hex'))
  }

  /** Adds the id of the key to digests of earlier versions, which do not have it. */
  withKeyId(digest: string): string {
    return digest.includes('.') ? digest : ['v1', this.keyId, digest].join('.')
  }

  /** Can be decrypted for the same owner only: it is useless if copied to another row. */
  encrypt(text: string, owner: string): string {
    const nonce = randomBytes(nonceLength)
    const encryption = createCipheriv(cipher, this.#encryption, nonce)
    encryption.setAAD(Buffer.from(owner))
    const bytes = [encryption.update(text, 'utf8'), encryption.final(), encryption.getAuthTag()]
    const parts = [nonce, Buffer.concat(bytes)].map((part) => part.toString('base64url'))
    return ['v1', this.keyId, ...parts].join('.')
  }

  decrypt(encrypted: string, owner: string): string {
    const [version, keyId, nonce = '', body = ''] = encrypted.split('.')
    if (version !== 'v1') throw new DecryptionError('encrypted secret has an unknown format')
    if (keyId !== this.keyId) {
      throw new DecryptionError(`secret was encrypted with key ${keyId}, not with ${this.keyId}`)
    }
    const bytes = Buffer.from(body, 'base64url')
    try {
      const iv = Buffer.from(nonce, 'base64url')
      const options = { authTagLength: tagLength }
      const decryption = createDecipheriv(cipher, this.#encryption, iv, options)
      decryption.setAAD(Buffer.from(owner))
      decryption.setAuthTag(bytes.subarray(-tagLength))
      const text = decryption.update(bytes.subarray(0, -tagLength), undefined, 'utf8')
      return text + decryption.final('utf8')
    } catch (cause) {
      const message = 'encrypted secret is damaged or belongs to another record'
      throw new DecryptionError(message, { cause })
    }
  }

  /** Whether an encrypted text or a digest has the id of this key. */
  hasMade(text: string): boolean {
    return text.split('.')[1] === this.keyId
  }
}
