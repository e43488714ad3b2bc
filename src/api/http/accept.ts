// What a client prefers to JSON in the envelope, by its Accept header: the problem details of RFC
// 9457 for errors, and CSV for lists.

export const problemType = 'application/problem+json'
export const csvType = 'text/csv'
const envelopeType = 'application/json'

/** What lies beyond is ignored. */
const charactersMax = 1_024
const rangesMax = 32

type Range = { readonly type: string; readonly quality: number; readonly place: number }

export function prefersProblem(accept: string | undefined): boolean {
  return accept !== undefined && /problem/i.test(accept) && prefers(accept, problemType)
}

export function prefersCsv(accept: string | undefined): boolean {
  return accept !== undefined && /csv/i.test(accept) && prefers(accept, csvType)
}

// It has to be named: a range such as */* means the envelope. Of two with the same quality the one
// that is named first is preferred.
function prefers(accept: string, type: string): boolean {
  const ranges = accept.slice(0, charactersMax).split(',', rangesMax).map(rangeOf)
  const wanted = bestOf(ranges, type)
  if (wanted === null || wanted.quality === 0) return false
  const envelope = bestOf(ranges, envelopeType)
  if (envelope === null) {
    const other = bestOf(ranges, 'application/*') ?? bestOf(ranges, '*/*')
    return wanted.quality >= (other?.quality ?? 0)
  }
  if (wanted.quality !== envelope.quality) return wanted.quality > envelope.quality
  return wanted.place < envelope.place
}

function rangeOf(text: string, place: number): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return { type, quality: quality === undefined ? 1 : qualityOf(quality.slice(2)), place }
}

function qualityOf(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}

function bestOf(ranges: readonly Range[], type: string): Range | null {
  const named = ranges.filter((range) => range.type === type)
  return named.reduce<Range | null>(
    (best, range) => (best === null || range.quality > best.quality ? range : best),
    null,
  )
}
