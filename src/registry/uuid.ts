// Ids of registry records: version 7 UUIDs, made of the time and 74 random bits.

import { randomBytes } from 'node:crypto'

export function newUuid(now: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  const ends = [8, 12, 16, 20, 32]
  return ends.map((end, part) => hex.slice(ends[part - 1] ?? 0, end)).join('-')
}
