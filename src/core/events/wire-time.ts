// Times of payloads as ISO 8601 in UTC, such as 2026-11-15T12:00:00.000Z.

const dayMs = 86_400_000
/** From 1 March of the year 0 on: a year that starts in March ends with its leap day. */
const daysBefore1970 = 719_468
const daysIn400Years = 146_097

/** Of Unix milliseconds between 1970 and 9999. */
export function wireTimeOf(millis: number): string {
  const ofDay = millis % dayMs
  const [year, month, day] = dateOf((millis - ofDay) / dayMs)
  const [hour, minute] = [whole(ofDay, 3_600_000), whole(ofDay, 60_000) % 60]
  const [second, milli] = [whole(ofDay, 1_000) % 60, ofDay % 1_000]
  const date = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`
  return `${date}T${padded(hour, 2)}:${padded(minute, 2)}:${padded(second, 2)}.${padded(milli, 3)}Z`
}

function dateOf(daysSince1970: number): readonly [year: number, month: number, day: number] {
  const days = daysSince1970 + daysBefore1970
  const era = whole(days, daysIn400Years)
  const ofEra = days % daysIn400Years
  const leapDays = whole(ofEra, 1_460) - whole(ofEra, 36_524) + whole(ofEra, 146_096)
  const yearOfEra = whole(ofEra - leapDays, 365)
  const ofYear = ofEra - (365 * yearOfEra + whole(yearOfEra, 4) - whole(yearOfEra, 100))
  // Five months from March on have 153 days.
  const fromMarch = whole(5 * ofYear + 2, 153)
  const day = ofYear - whole(153 * fromMarch + 2, 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return [400 * era + yearOfEra + (month <= 2 ? 1 : 0), month, day]
}

function whole(dividend: number, divisor: number): number {
  return Math.floor(dividend / divisor)
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
