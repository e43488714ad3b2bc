// Unix milliseconds as ISO 8601. One answer shows the same moment several times, and so do the
// answers of one turn: the last text is kept.

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
