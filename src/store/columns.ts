// Names and texts that both databases store in the same way.

/** The name of a field's column: its snake case. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The lower case of a title for searching, in every alphabet. All forms of sigma are the same. */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
