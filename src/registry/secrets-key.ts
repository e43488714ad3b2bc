// What the secrets key is for: sealing webhook secrets, which must be read again to sign with, and
// peppering the digests of API keys. Neither is of use to somebody who has the database alone.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** A sealed text that cannot be opened: made with another key, for another record, or damaged. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

export const secretKeyLength = 32
const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const keyIdLength = 8

export class Seal {
  /** Stands in each sealed text and digest, so that one can tell with which key it was made. */
  readonly keyId: string
  readonly #sealing: KeyObject
  readonly #pepper: KeyObject

  constructor(secretKey: Uint8Array) {
    if (secretKey.length !== secretKeyLength) {
      throw new RangeError(`The secrets key has ${secretKey.length} bytes, not ${secretKeyLength}.`)
    }
    const derive = (purpose: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', `outcry ${purpose}`, 32)))
    this.#sealing = derive('webhook secrets')
    this.#pepper = derive('api keys')
    this.keyId = derive('key id').export().toString('hex').slice(0, keyIdLength)
  }

  digestOf(apiKey: string): string {
    return this.named(createHmac('sha256', this.#pepper).update(apiKey).digest('hex'))
  }

  /** With the name of the key, which digests did not always have. */
  named(digest: string): string {
    return digest.includes('.') ? digest : ['v1', this.keyId, digest].join('.')
  }

  /** It can be opened for the same owner only: moved to another row, it is of no use. */
  close(text: string, owner: string): string {
    const nonce = randomBytes(nonceLength)
    const encrypt = createCipheriv(cipher, this.#sealing, nonce)
    encrypt.setAAD(Buffer.from(owner))
    const sealed = [encrypt.update(text, 'utf8'), encrypt.final(), encrypt.getAuthTag()]
    const parts = [nonce, Buffer.concat(sealed)].map((part) => part.toString('base64url'))
    return ['v1', this.keyId, ...parts].join('.')
  }

  open(sealed: string, owner: string): string {
    const [version, keyId, nonce = '', body = ''] = sealed.split('.')
    if (version !== 'v1') throw new SealBroken('A sealed secret is of an unknown form.')
    if (keyId !== this.keyId) {
      throw new SealBroken(`A secret was sealed with key ${keyId}; this one is ${this.keyId}.`)
    }
    const bytes = Buffer.from(body, 'base64url')
    try {
      const iv = Buffer.from(nonce, 'base64url')
      const options = { authTagLength: tagLength }
      const decrypt = createDecipheriv(cipher, this.#sealing, iv, options)
      decrypt.setAAD(Buffer.from(owner))
      decrypt.setAuthTag(bytes.subarray(-tagLength))
      return (
        decrypt.update(bytes.subarray(0, -tagLength), undefined, 'utf8') + decrypt.final('utf8')
      )
    } catch (cause) {
      throw new SealBroken('A sealed secret is damaged, or belongs to another record.', { cause })
    }
  }

  /** Whether a text was sealed, or a digest made, with this key, as far as it says. */
  hasMade(sealed: string): boolean {
    return sealed.split('.')[1] === this.keyId
  }
}
