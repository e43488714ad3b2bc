// The size of a text in the store, without encoding it.

/** The bytes of the text in UTF-8; a surrogate without its other half counts as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes += 1
    else if (code < 0x800) bytes += 2
    else if (isPairAt(text, at)) {
      bytes += 4
      at += 1
    } else bytes += 3
  }
  return bytes
}

function isPairAt(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
}
