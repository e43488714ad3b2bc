// When the data is written, and the times that it speaks of.

export const dayOne = Date.parse('2026-11-16T10:00:00Z')
export const dayTwo = Date.parse('2026-11-17T09:00:00Z')
/** Less than a day after the first event: all are still kept. */
export const lastHour = Date.parse('2026-11-17T09:30:00Z')

/** Between the two days. */
export const meanwhile = '2026-11-16T12:00:00.000Z'
/** After the data was left. */
export const soonAfter = '2026-11-17T10:30:00.000Z'
export const farAway = '2099-01-01T00:00:00.000Z'
