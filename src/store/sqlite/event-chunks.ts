// Collects the types of events by chunk of sequences, so that a transaction writes each chunk once:
// see migrations/0006-event-chunks.sql.

import { fieldIndex, rowKinds } from '../rows.ts'
import { chunkOf } from '../sql/read-events.ts'
import type { Parameter } from '../unpack-rows.ts'
import type { Statements } from './connection.ts'

const fieldCount = Object.keys(rowKinds.eventRecord).length
const operatorNumberAt = fieldIndex('eventRecord', 'operatorNumber')
const firstSequenceAt = fieldIndex('eventRecord', 'firstSequence')
const typesAt = fieldIndex('eventRecord', 'types')

export class EventChunks {
  /** By operator, then by chunk. */
  readonly #types = new Map<number, Map<number, number>>()

  /** The parameters of some event records, one row after the other. */
  add(parameters: readonly Parameter[]): void {
    for (let at = 0; at < parameters.length; at += fieldCount) {
      const operator = Number(parameters[at + operatorNumberAt])
      const chunk = chunkOf(Number(parameters[at + firstSequenceAt]))
      const byChunk = this.#types.get(operator) ?? new Map<number, number>()
      byChunk.set(chunk, (byChunk.get(chunk) ?? 0) | Number(parameters[at + typesAt]))
      this.#types.set(operator, byChunk)
    }
  }

  /** To be called within the transaction that writes the event records. */
  write(statements: Statements): void {
    const statement = statements.get(
      `INSERT INTO event_chunks (operator_number, chunk, types) VALUES (?, ?, ?)
       ON CONFLICT (operator_number, chunk) DO UPDATE SET types = types | excluded.types`,
    )
    for (const [operator, byChunk] of this.#types) {
      for (const [chunk, types] of byChunk) statement.run(operator, chunk, types)
    }
  }
}
