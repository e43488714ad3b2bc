// How fields are kept, in both databases alike.

/** What the column of a field is called. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** As titles are searched: in small letters, of every alphabet, wherever in a word they stand. */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
