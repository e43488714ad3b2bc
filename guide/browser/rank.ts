// Finds the sections that contain every word of a query, best first.

import type { Entry } from '../search-index.ts'

const wordsMax = 8

/** What a word of the query adds to the rank of a section, by where it was found. */
const weights = { h: 40, t: 20, s: 4, w: 2 } as const
/** A word that only begins with that of the query counts less. */
const partShare = 0.6
const pageBonus = 60

export function search(entries: readonly Entry[], query: string, max: number): Entry[] {
  const terms = wordsOf(query).slice(0, wordsMax)
  if (terms.length === 0) return []
  return entries
    .flatMap((entry) => {
      const ranks = terms.map((term) => rankOf(entry, term))
      const rank = ranks.reduce((sum, each) => sum + each, 0)
      return ranks.includes(0) ? [] : [{ entry, rank: rank + bonusOf(entry, terms) }]
    })
    .sort((one, other) => other.rank - one.rank)
    .slice(0, max)
    .map(({ entry }) => entry)
}

function rankOf(entry: Entry, term: string): number {
  let rank = 0
  for (const field of ['h', 't', 's', 'w'] as const) {
    const words = wordsOf(entry[field])
    if (words.includes(term)) rank += weights[field]
    else if (words.some((word) => begins(word, term))) rank += weights[field] * partShare
  }
  return rank
}

/** Also within a code: "cannot" finds ORDER_CANNOT_CANCEL. */
function begins(word: string, term: string): boolean {
  return word.startsWith(term) || word.includes(`_${term}`)
}

/** A page comes before sections of others if the query is its title, or the beginning of it. */
function bonusOf({ h, t }: Entry, terms: readonly string[]): number {
  const words = wordsOf(t)
  if (h !== '' || words.length !== terms.length) return 0
  if (!terms.every((term, at) => words[at]!.startsWith(term))) return 0
  const isWhole = words.join(' ') === terms.join(' ')
  return pageBonus * terms.length * (isWhole ? 1 : partShare)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}
