// The rows of a turn as bytes, as they are sent to the thread that commits them, hashed and stored:
// the numbers, each in as few bytes as it needs; the length of each text; and all texts as UTF-8.
// Most numbers are small, and one text is encoded in the time of many.

import { fieldsOf, kindNumbers, noText, type PackedRows, type Row, type RowKind } from './rows.ts'

/** A byte has seven bits of a number; the eighth says that more follow. */
const bitsPerByte = 7
const hasMore = 0x80
const byteMask = 0x7f
/** Numbers below it are encoded with 32-bit arithmetic, which is several times faster. */
const smallBits = 4 * bitsPerByte
const smallLimit = 2 ** smallBits
/** Of a safe integer with its sign. */
const bytesPerNumberMax = 8
/** More than any row needs. */
const firstCapacity = 16 * 1024
/** Below it, a number is not exact when it is doubled. */
const least = -(2 ** 52)

/** Encodes rows as they are added. */
export class RowPacker {
  #bytes = new Uint8Array(firstCapacity)
  #end = 0
  /** How many numbers there are. */
  #length = 0
  readonly #texts: string[] = []

  /** Throws a RangeError if a number is not a safe integer. */
  add<Kind extends RowKind>(kind: Kind, row: Row<Kind>): void {
    const number = kindNumbers.get(kind)!
    const fields = fieldsOf[number]!
    this.#reserve(fields.length + 1)
    this.#write(number)
    const values = row as Readonly<Record<string, number | string | bigint | null>>
    for (const [field, type] of fields) {
      const value = values[field]!
      this.#write(
        type === 'number' ? (value as number) : this.#keep(value as string | bigint | null),
      )
    }
    this.#length += fields.length + 1
  }

  get bytes(): Uint8Array {
    const texts = this.#texts
    const text = texts.join('')
    const numbersMax = (texts.length + 2) * bytesPerNumberMax
    const bytes = Buffer.allocUnsafe(this.#end + numbersMax + Buffer.byteLength(text))
    let end = writeNumber(bytes, 0, this.#length)
    bytes.set(this.#bytes.subarray(0, this.#end), end)
    end = writeNumber(bytes, end + this.#end, texts.length)
    for (const one of texts) end = writeNumber(bytes, end, one.length)
    end += bytes.write(text, end)
    return new Uint8Array(bytes.subarray(0, end))
  }

  #write(value: number): void {
    this.#end = writeNumber(this.#bytes, this.#end, doubled(value))
  }

  #keep(value: string | bigint | null): number {
    if (value === null) return noText
    this.#texts.push(String(value))
    return this.#texts.length - 1
  }

  #reserve(numbers: number): void {
    const capacity = this.#bytes.length
    if (this.#end + numbers * bytesPerNumberMax <= capacity) return
    const bytes = new Uint8Array(capacity * 2)
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }
}

export function rowsOf(bytes: Uint8Array): PackedRows {
  const input = { bytes, at: 0 }
  const length = readNumber(input)
  const numbers = new Float64Array(length)
  for (let at = 0; at < length; at += 1) numbers[at] = halved(readNumber(input))
  const lengths = new Float64Array(readNumber(input))
  for (let at = 0; at < lengths.length; at += 1) lengths[at] = readNumber(input)
  const { buffer, byteOffset } = bytes
  const text = Buffer.from(buffer, byteOffset + input.at, bytes.length - input.at).toString()
  const texts: string[] = []
  let from = 0
  for (const count of lengths) {
    texts.push(text.slice(from, from + count))
    from += count
  }
  return { numbers, length, texts }
}

/** Even numbers stand for 0, 1, 2 and so on, odd ones for -1, -2 and so on. */
function doubled(value: number): number {
  if (value >= 0 && value < smallLimit && Number.isInteger(value)) return value * 2
  if (!Number.isSafeInteger(value) || value < least)
    throw new RangeError(`no row has the number ${value}`)
  return value < 0 ? -2 * value - 1 : 2 * value
}

function halved(value: number): number {
  if (value < smallLimit) return (value >>> 1) ^ -(value & 1)
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

/** Returns where the next number begins. */
function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let next = at
  let small = value
  if (value >= smallLimit) {
    const low = value % smallLimit
    for (let shift = 0; shift < smallBits; shift += bitsPerByte) {
      bytes[next] = (low >>> shift) | hasMore
      next += 1
    }
    small = (value - low) / smallLimit
  }
  while (small > byteMask) {
    bytes[next] = small | hasMore
    small >>>= bitsPerByte
    next += 1
  }
  bytes[next] = small
  return next + 1
}

/** Bytes, and where the next number begins. */
type Input = { readonly bytes: Uint8Array; at: number }

function readNumber(input: Input): number {
  const { bytes } = input
  let at = input.at
  let byte = bytes[at]!
  let value = byte & byteMask
  for (let shift = bitsPerByte; byte >= hasMore && shift < smallBits; shift += bitsPerByte) {
    at += 1
    byte = bytes[at]!
    value |= (byte & byteMask) << shift
  }
  for (let unit = smallLimit; byte >= hasMore; unit *= byteMask + 1) {
    at += 1
    byte = bytes[at]!
    value += (byte & byteMask) * unit
  }
  input.at = at + 1
  return value
}
