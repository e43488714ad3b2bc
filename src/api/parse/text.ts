// Which texts are accepted. Names and ids must not contain control characters, and half of a
// surrogate pair cannot be stored as UTF-8.

const lineBreakers = new Set([9, 10, 13])

/** No control characters, no lone surrogates. */
export function isLine(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) < 32) return false
  }
  return text.isWellFormed()
}

/** As a line, but tabs and line breaks are allowed. */
export function isProse(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 32 && !lineBreakers.has(code)) return false
  }
  return text.isWellFormed()
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidForm.test(text)
}

const decimalForm = /^-?\d+(?:\.\d+)?$/

/** What stepsOfText can read, whether it is on a step or not. */
export function isDecimal(text: string): boolean {
  return decimalForm.test(text)
}
