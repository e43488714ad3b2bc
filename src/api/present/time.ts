// Unix milliseconds as ISO 8601. An answer shows the same time several times, and so do the answers
// of one turn, so the last text is cached.

let lastMillis = Number.NaN
let lastText = ''

export function timeText(millis: number): string {
  if (millis !== lastMillis) {
    lastText = new Date(millis).toISOString()
    lastMillis = millis
  }
  return lastText
}

export function timeTextOrNull(millis: number | null): string | null {
  return millis === null ? null : timeText(millis)
}
