// Counts the live markets of each operator, their outcomes, and the bytes of their texts.
// markets/operator-limits.ts holds the limits.

import { utf8Length } from '../utf8.ts'
import type { Market, StoredBytes, StoredText } from './market.ts'

/** Counts a market that becomes live (1) or ends (-1). */
export function countMarket({ owner, title, books, storedBytes }: Market, change: 1 | -1): void {
  owner.live.markets += change
  owner.live.outcomes += change * books.length
  owner.live.textBytes += change * textBytesOf({ title, outcomes: books, storedBytes })
}

/** What counts as the text of a market. */
type CountedText = {
  readonly title: string
  readonly outcomes: readonly { readonly name: string }[]
  readonly storedBytes: StoredBytes
}

export function textBytesOf({ title, outcomes, storedBytes }: CountedText): number {
  let bytes = utf8Length(title)
  for (const { name } of outcomes) bytes += utf8Length(name)
  for (const length of Object.values(storedBytes)) bytes += length
  return bytes
}

/** The bytes of each text that is there. */
export function bytesOf(text: Partial<StoredText>): Partial<StoredBytes> {
  const lengths = Object.entries(text).map(([field, value]) => [field, lengthOf(value)])
  return Object.fromEntries(lengths)
}

export function lengthOf(text: string | null): number {
  return text === null ? 0 : utf8Length(text)
}
