// The first bytes of a response, as a text that can be stored and shown.

/** Of a response, so many bytes are kept. */
export const responseBytesMax = 256

/** What is no visible character is shown as a space; a character that was cut is dropped. */
export function responseText(chunks: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(chunks).subarray(0, responseBytesMax)
  const text = new TextDecoder().decode(bytes, { stream: true })
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
