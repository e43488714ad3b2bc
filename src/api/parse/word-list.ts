// Parses a filter of several words, such as "OPEN,CLOSED".

import { invalidField, type Refusal } from '../errors.ts'

/** The words, each once; null if the filter is omitted. */
export function wordsOf<Word extends string>(
  field: string,
  text: string | undefined,
  known: readonly Word[],
): readonly Word[] | null | Refusal {
  if (text === undefined) return null
  const found = new Set<Word>()
  for (const part of text.split(',')) {
    const word = known.find((candidate) => candidate === part.trim())
    if (word === undefined) {
      return invalidField(field, `must be one of ${known.join(', ')}, got "${part.trim()}"`)
    }
    found.add(word)
  }
  return [...found]
}
