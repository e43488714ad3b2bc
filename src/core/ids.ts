// Public ids. Every record has a serial, the next number of its shard; its public id is a UUID
// (version 7) made from its creation time, the shard and the serial, and can be read back.
// The serial is enciphered, so that an id does not reveal how busy the exchange is.

import { assert } from './assert.ts'
import type { Brand } from './brand.ts'

/** The number of a record in its shard: each new record gets the next one. */
export type Serial = Brand<'serial'>

/** 31 bits each: the two halves of the enciphered serial. */
const halfBits = 31
const halfMask = 0x7fffffff
const halfSize = 2 ** halfBits
const rounds = 4
const shardMax = 0xfff
const timeMax = 2 ** 48 - 1

/** The four hexadecimal digits of every 16-bit number. */
const hexOf = Array.from({ length: 0x10000 }, (_, bits) => bits.toString(16).padStart(4, '0'))
/** The character codes of the hexadecimal digits, and of a dash. */
const codeOf = Uint8Array.from([...'0123456789abcdef'], (digit) => digit.charCodeAt(0))
const dash = 45
const notHex = 255
const nibbleOfCode = new Uint8Array(128).fill(notHex)
for (let nibble = 0; nibble < 16; nibble += 1) {
  nibbleOfCode[nibble.toString(16).charCodeAt(0)] = nibble
  nibbleOfCode[nibble.toString(16).toUpperCase().charCodeAt(0)] = nibble
}

/** The shard in a public id; null for a text that has none. */
export function shardOfId(text: string): number | null {
  const version = bitsAt(text, 14, 18)
  return text.length === 36 && version >>> 12 === 7 ? version & shardMax : null
}

export class Ids {
  private readonly shard: number
  private readonly keys: Int32Array
  // One command makes several ids of one moment.
  private lastTime = -1
  /** The characters of that moment and of the shard: the first nineteen of an id. */
  private readonly head = new Uint8Array(19)

  /** The key is two 32-bit words that belong to one installation and never change. */
  constructor({ shard, key }: { shard: number; key: readonly [number, number] }) {
    assert(shard >= 0 && shard <= shardMax, 'a shard has a number of twelve bits')
    this.shard = shard
    // With one key for all shards, an id whose shard was replaced would name a record there.
    const ownKey = key.map((word) => word ^ Math.imul(shard, 0x85ebca6b))
    this.keys = Int32Array.from({ length: rounds }, (_, round) =>
      mix(ownKey[round % 2]! ^ Math.imul(round + 1, 0x9e3779b1), ownKey[(round + 1) % 2]!),
    )
  }

  textOf(serial: Serial, createdAt: number): string
  /** A tweak keeps apart numbers that are counted separately: each operator's events. */
  textOf(count: number, createdAt: number, tweak: number): string
  textOf(serial: number, createdAt: number, tweak = 0): string {
    assert(createdAt >= 0 && createdAt <= timeMax, 'a creation time has 48 bits')
    if (createdAt !== this.lastTime) {
      this.lastTime = createdAt
      this.writeHead(createdAt)
    }
    const moment = this.moment(createdAt, tweak)
    let left = Math.floor(serial / halfSize)
    let right = serial % halfSize
    for (let round = 0; round < rounds; round += 1) {
      const swap = left ^ (mix(right ^ this.keys[round]!, moment) & halfMask)
      left = right
      right = swap
    }
    return textFrom(this.head, left, right)
  }

  /** The serial inside an id of this shard, or null for any other text. */
  serialOf(text: string): Serial | null {
    if (text.length !== 36) return null
    const timeHigh = bitsAt(text, 0, 8)
    const timeLow = bitsAt(text, 9, 13)
    const version = bitsAt(text, 14, 18)
    const variant = bitsAt(text, 19, 23)
    const tailHigh = bitsAt(text, 24, 28)
    const tailLow = bitsAt(text, 28, 36)
    if (timeHigh < 0 || timeLow < 0 || tailHigh < 0 || tailLow < 0) return null
    if (version !== (0x7000 | this.shard) || variant >>> 14 !== 2) return null
    if (text[8] !== '-' || text[13] !== '-' || text[18] !== '-' || text[23] !== '-') return null

    let left = ((variant & 0x3fff) << 17) | (tailHigh << 1) | (tailLow >= halfSize ? 1 : 0)
    let right = tailLow % halfSize
    const moment = this.moment(timeHigh * 0x10000 + timeLow, 0)
    for (let round = rounds - 1; round >= 0; round -= 1) {
      const swap = right ^ (mix(left ^ this.keys[round]!, moment) & halfMask)
      right = left
      left = swap
    }
    const serial = left * halfSize + right
    return Number.isSafeInteger(serial) ? (serial as Serial) : null
  }

  private moment(createdAt: number, tweak: number): number {
    return mix((createdAt % 2 ** 24) ^ tweak, Math.floor(createdAt / 2 ** 24))
  }

  private writeHead(createdAt: number): void {
    const high = Math.floor(createdAt / 0x10000)
    const time = `${hexOf[high >>> 16]}${hexOf[high & 0xffff]}-${hexOf[createdAt % 0x10000]}`
    const text = `${time}-${hexOf[0x7000 | this.shard]}-`
    for (let at = 0; at < text.length; at += 1) this.head[at] = text.charCodeAt(at)
  }
}

// The head, the variant's two bits and the 62 bits behind them. One call with every character: a
// text that is put together from parts takes longer to make, and JSON.stringify twice as long to
// write.
function textFrom(head: Uint8Array, left: number, right: number): string {
  const first = 0x8000 | (left >>> 17)
  const middle = (left >>> 1) & 0xffff
  const tail = ((left & 1) << 15) | (right >>> 16)
  return String.fromCharCode(
    head[0]!,
    head[1]!,
    head[2]!,
    head[3]!,
    head[4]!,
    head[5]!,
    head[6]!,
    head[7]!,
    head[8]!,
    head[9]!,
    head[10]!,
    head[11]!,
    head[12]!,
    head[13]!,
    head[14]!,
    head[15]!,
    head[16]!,
    head[17]!,
    head[18]!,
    codeOf[first >>> 12]!,
    codeOf[(first >>> 8) & 15]!,
    codeOf[(first >>> 4) & 15]!,
    codeOf[first & 15]!,
    dash,
    codeOf[middle >>> 12]!,
    codeOf[(middle >>> 8) & 15]!,
    codeOf[(middle >>> 4) & 15]!,
    codeOf[middle & 15]!,
    codeOf[tail >>> 12]!,
    codeOf[(tail >>> 8) & 15]!,
    codeOf[(tail >>> 4) & 15]!,
    codeOf[tail & 15]!,
    codeOf[(right >>> 12) & 15]!,
    codeOf[(right >>> 8) & 15]!,
    codeOf[(right >>> 4) & 15]!,
    codeOf[right & 15]!,
  )
}

// The number that hexadecimal digits stand for, or -1.
function bitsAt(text: string, from: number, to: number): number {
  let bits = 0
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    const nibble = code < 128 ? nibbleOfCode[code]! : notHex
    if (nibble === notHex) return -1
    bits = bits * 16 + nibble
  }
  return bits
}

function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ (a >>> 16), 0x7feb352d) ^ Math.imul(b, 0x846ca68b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return hash ^ (hash >>> 16)
}
