// A way to write a value as JSON and to read it back, as the codecs of commands and of answers are
// built. What is read was written by another node of the cluster, not by a client.

export type Codec<Value> = {
  /** A value that JSON.stringify keeps as it is. */
  encode(value: Value): unknown
  decode(json: unknown): Value
}

/** Of values that JSON already keeps: optional fields that are absent stay absent. */
export function plain<Value>(): Codec<Value> {
  return { encode: (value) => value, decode: (json) => json as Value }
}

/** Of values with bigints in them, which JSON cannot hold. */
export function withBigints<Value>(): Codec<Value> {
  return { encode: markBigints, decode: (json) => unmarkBigints(json) as Value }
}

/** The place of a word in its list. */
export function placeOf<Word extends string>(words: readonly Word[], word: Word): number {
  return words.indexOf(word)
}

export function wordAt<Word extends string>(words: readonly Word[], place: number): Word {
  const word = words[place]
  if (word === undefined) throw new RangeError(`no word has place ${place} in ${words.join(', ')}`)
  return word
}

// No command and no answer has a field with this name.
const mark = 'bigint'

function markBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return { [mark]: value.toString() }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(markBigints)
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, markBigints(field)]),
  )
}

function unmarkBigints(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unmarkBigints)
  const entries = Object.entries(value)
  const [first] = entries
  if (first?.[0] === mark) return BigInt(first[1])
  return Object.fromEntries(entries.map(([name, field]) => [name, unmarkBigints(field)]))
}
