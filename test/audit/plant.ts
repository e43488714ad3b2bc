// A corruption, the check that must find it, and the records that corruptions change.

export type Plant = {
  readonly check: string
  /** What the statement does to the records. */
  readonly title: string
  readonly sql: string
}

export const anOrder = (condition: string) =>
  `serial = (SELECT min(serial) FROM orders WHERE ${condition})`
export const aTrade = (condition = '1') =>
  `serial = (SELECT min(serial) FROM trades WHERE ${condition})`
export const aPosition = (condition: string) =>
  `serial = (SELECT min(serial) FROM positions WHERE ${condition})`
const market = (status: number) => `(SELECT min(serial) FROM markets WHERE status = ${status})`
export const [open, settled, cancelled] = [market(2), market(6), market(7)] as const
export const middle = (table: string, key: string) =>
  `(SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET (SELECT count(*) / 2 FROM ${table}))`
/** The last event record of the first operator with an event of that type. */
export const anEventRecord = (type: number) =>
  `operator_number = 1 AND first_sequence = (
     SELECT max(first_sequence) FROM event_records
     WHERE operator_number = 1 AND types & (1 << ${type}))`
export const PLACED = 5
