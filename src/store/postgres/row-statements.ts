// The statements that store the rows of each kind, inside the function that commits a turn. There
// `n` and `t` are the packed numbers and texts, and `a` is where a row begins: its field f is
// n[a + 2 + f], since arrays count from 1 and the first number is the kind.

import { columnOf } from '../columns.ts'
import { candleWidth, columnsOf, foldedTitle, onConflict, rowTables } from '../row-tables.ts'
import { type FieldType, type RowKind, rowKinds } from '../rows.ts'
import { sequencesPerChunk } from '../sql/read-events.ts'
import { candleMinutes } from '../trade-data.ts'

/** One statement can change a stored row once: rows with the same key need several statements. */
export function keyFieldsOf(kind: RowKind): readonly string[] {
  const { write } = rowTables[kind]
  if (write.kind === 'insert') return []
  if (write.kind === 'update') return ['serial']
  // Two minutes of an outcome may belong to the same hour.
  return kind === 'candle' ? ['outcomeSerial'] : write.key
}

/** Whether each row changes one that must be there. */
export function mustChange(kind: RowKind): boolean {
  return rowTables[kind].write.kind === 'update'
}

export function statementFor(kind: RowKind): string {
  if (rowTables[kind].write.kind === 'update') return updateOf(kind)
  return kind === 'eventRecord' ? `${insertOf(kind)};\n${insertChunks()}` : insertOf(kind)
}

function insertOf(kind: RowKind): string {
  const values = valuesOf(kind)
  const from = ['unnest(rows_at) AS a']
  const extra: Record<string, string> = {}
  if (kind === 'market') extra[foldedTitle] = 'folded[array_position(folded_at, a)]'
  if (kind === 'candle') {
    extra[candleWidth] = candleWidth
    values.minute = `${values.minute} - ${values.minute} % ${candleWidth}`
    from.push(`unnest(ARRAY[${Object.values(candleMinutes).join(', ')}]) AS ${candleWidth}`)
  }
  const columns = [...columnsOf(kind), ...Object.keys(extra)]
  const selected = [...Object.values(values), ...Object.values(extra)]
  return `INSERT INTO ${rowTables[kind].table} AS stored (${columns.join(', ')})
    SELECT ${selected.join(', ')} FROM ${from.join(', ')}
    ${onConflict(rowTables[kind], { greatest: 'greatest', least: 'least' })}`
}

/** The types of the events in each chunk of sequences. */
function insertChunks(): string {
  const { operatorNumber, firstSequence, types } = valuesOf('eventRecord')
  return `INSERT INTO event_chunks AS stored (operator_number, chunk, types)
    SELECT ${operatorNumber}, ${firstSequence} / ${sequencesPerChunk}, bit_or(${types})
    FROM unnest(rows_at) AS a GROUP BY 1, 2
    ON CONFLICT (operator_number, chunk) DO UPDATE SET types = stored.types | excluded.types`
}

function updateOf(kind: RowKind): string {
  const { table } = rowTables[kind]
  const { serial, ...values } = valuesOf(kind)
  const changes = Object.entries(values).map(([field, value]) => `${columnOf(field)} = ${value}`)
  return `UPDATE ${table} SET ${changes.join(', ')}
    FROM unnest(rows_at) AS a WHERE ${table}.serial = ${serial}`
}

/** Each field of a row as an expression. */
function valuesOf(kind: RowKind): Record<string, string> {
  const fields = Object.entries<FieldType>(rowKinds[kind])
  const values = fields.map(([field, type], index) => {
    const number = `n[a + ${index + 2}]`
    const text = `t[${number} + 1]`
    return [field, { number, text, exact: `${text}::numeric` }[type]]
  })
  return Object.fromEntries(values)
}
