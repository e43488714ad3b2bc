// The text of a key: its kind, 256 random bits, and a checksum that detects typing errors without a
// lookup.

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type KeyKind = 'live' | 'admin'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretBytes = 32
const secretLength = 43
const checkLength = 6
const form = /^oc_(live|admin)_[0-9A-Za-z]{49}$/
/** How much of a key is stored and shown: enough to identify it, too little to guess the rest. */
export const prefixLength = 12

export function newKeyText(kind: KeyKind): string {
  const secret = BigInt(`0x${randomBytes(secretBytes).toString('hex')}`)
  const body = `oc_${kind}_${base62(secret, secretLength)}`
  return body + checkOf(body)
}

/** Whether a text has the format of such a key; the key need not exist. */
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
