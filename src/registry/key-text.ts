// The text of a key: where it is for, 256 random bits, and a checksum by which a typing error is
// told from a wrong key without looking anything up.

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type KeyKind = 'live' | 'admin'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretBytes = 32
const secretLength = 43
const checkLength = 6
const form = /^oc_(live|admin)_[0-9A-Za-z]{49}$/
/** How much of a key is kept and shown: enough to tell keys apart, and 24 bits of no use. */
export const prefixLength = 12

export function newKeyText(kind: KeyKind): string {
  const secret = BigInt(`0x${randomBytes(secretBytes).toString('hex')}`)
  const body = `oc_${kind}_${base62(secret, secretLength)}`
  return body + checkOf(body)
}

/** Whether a text could be such a key; that says nothing about whether it is one. */
export function isKeyText(kind: KeyKind, text: string): boolean {
  if (form.exec(text)?.[1] !== kind) return false
  return text.endsWith(checkOf(text.slice(0, -checkLength)))
}

function checkOf(body: string): string {
  return base62(BigInt(crc32(body)), checkLength)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n)
    text = digits[Number(rest % 62n)]! + text
  return text
}
