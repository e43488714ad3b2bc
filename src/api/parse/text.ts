// Which texts are accepted. Half of a surrogate pair cannot be stored as UTF-8. Texts that are
// shown to people must not contain characters that change how the text around them is shown:
// control characters, and bidirectional embeddings, overrides and isolates.

/** A title or a name: one line that is shown. */
export function isName(text: string): boolean {
  return !/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(text) && text.isWellFormed()
}

/** As a name, but tabs and line breaks are allowed. */
export function isProse(text: string): boolean {
  return !/[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/u.test(text) && text.isWellFormed()
}

/** An id that a client chose, or a search term: no C0 control characters, no lone surrogates. */
export function isLine(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) < 32) return false
  }
  return text.isWellFormed()
}

/** The URL of an image that clients may show. Schemes such as javascript: would run code. */
export function isHttpsUrl(text: string): boolean {
  return /^https:\/\/(?!\/)[^\s"<>\\`]+$/i.test(text) && isName(text) && URL.canParse(text)
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
