// Formats numbers and times. Decimal strings are never converted to numbers, so nothing is rounded.

const grouping = /\B(?=(\d{3})+$)/g

/** "1234567.5" as "1,234,567.5". */
export function grouped(decimal: string): string {
  const [whole = '0', part] = decimal.split('.')
  const shown = whole.replace(grouping, ',')
  return part === undefined ? shown : `${shown}.${part}`
}

/** The total of a list: "10,000+" if there are more than were counted. */
export function totalOf(page: { readonly total: number; readonly totalIsExact: boolean }): string {
  return `${grouped(String(page.total))}${page.totalIsExact ? '' : '+'}`
}

/** With at least two decimals. */
export function money(decimal: string): string {
  const [whole = '0', part = ''] = decimal.split('.')
  return `${whole.replace(grouping, ',')}.${part.padEnd(2, '0')}`
}

export function shares(count: number): string {
  return grouped(String(Math.round(count * 100) / 100))
}

/** Four decimals in two parts: the significant digits, and the zeros after them. */
export function priceParts(price: number): readonly [digits: string, zeros: string] {
  const text = price.toFixed(4)
  const zeros = /0{1,2}$/.exec(text)?.[0] ?? ''
  return [text.slice(0, text.length - zeros.length), zeros]
}

export function price(value: number): string {
  return priceParts(value)[0]
}

/** Prices of an axis, all with as many decimals as the step between them; null has no label. */
export function priceLabels(prices: readonly (number | null)[], step: number): string[] {
  const decimals = String(step).split('.')[1]?.length ?? 0
  return prices.map((value) => value?.toFixed(decimals) ?? '')
}

/** A price as a probability. */
export function chance(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)}%`
}

const time = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const moment = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

export function timeOfDay(at: number | string): string {
  return time.format(new Date(at))
}

export function dateTime(at: number | string | null): string {
  return at === null ? '–' : moment.format(new Date(at))
}

/** With one decimal; 0 if the times are in the other order, as clocks may differ. */
export function secondsBetween(from: number, to: number): string {
  return (Math.max(0, to - from) / 1_000).toFixed(1)
}

/** The value of a datetime-local input, in local time. */
export function localInput(iso: string | null): string {
  if (iso === null) return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function isoOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString()
}

/** INVALID_STATE as "Invalid state". */
export function inWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
