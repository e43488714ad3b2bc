// ISO 8601 times with an offset or Z, as in RFC 3339, with optional seconds. Date.parse alone would
// accept the 30th of February and assume a zone for a time without one.

import { dayMs } from '../../store/store.ts'

const form = new RegExp(
  [
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?/.source,
    /(?:Z|[+-](\d\d):(\d\d))$/.source,
  ].join(''),
)
const timeMax = Date.UTC(10_000, 0, 1) - 1

/** Unix milliseconds, or null for anything but a time between 1970 and 9999 that exists. */
export function millisOf(text: string): number | null {
  const parts = form.exec(text)
  if (parts === null) return null
  const [year, month, day, hour, minute] = parts.slice(1, 6).map(Number)
  if (month! < 1 || month! > 12 || day! < 1 || day! > daysIn(year!, month!)) return null
  if (hour! > 23 || minute! > 59 || Number(parts[6] ?? 0) > 59) return null
  if (Number(parts[7] ?? 0) > 23 || Number(parts[8] ?? 0) > 59) return null
  const millis = Date.parse(text)
  // 0 is how stores keep "none".
  return millis > 0 && millis <= timeMax ? millis : null
}

export function isTime(text: string): boolean {
  return millisOf(text) !== null
}

/** Whether only Z or an offset is missing. */
export function lacksZone(text: string): boolean {
  return isTime(`${text}Z`)
}

/** For an optional field that the schema has validated. */
export function timeOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : millisOf(text)
}

/** Days since 1970, or null for anything but a date such as 2030-01-31 that exists. */
export function dayOf(text: string): number | null {
  const millis = millisOf(`${text}T00:00:01Z`)
  return millis === null ? null : Math.floor(millis / dayMs)
}

export function isDate(text: string): boolean {
  return dayOf(text) !== null
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
