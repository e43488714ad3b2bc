// Runs a reading over a connection. Its statements, which are written for both databases, are
// translated for PostgreSQL.

import type { Cells } from '../sql/cells.ts'
import type { Reading } from '../sql/reading.ts'
import { named, type Queryable } from './connection.ts'
import type { ShardSchema } from './shard-schema.ts'

export async function answerOf<Answer>(
  client: Queryable,
  shard: ShardSchema | null,
  reading: Reading<Answer>,
): Promise<Answer> {
  let step = reading.next()
  while (step.done !== true) {
    const { text, values } = step.value
    const statement = named(translated(text), shard)
    const { rows } = await client.query<Cells>({ ...statement, values: [...values] })
    step = reading.next(rows)
  }
  return step.value
}

const translations = new Map<string, string>()

// The hints are for SQLite, which has no statistics about its indexes. The order of texts by their
// bytes has another name.
function translated(text: string): string {
  let known = translations.get(text)
  if (known === undefined) {
    let count = 0
    known = text
      .replace(/(?:NOT INDEXED|INDEXED BY \w+)/g, '')
      .replaceAll('COLLATE BINARY', 'COLLATE "C"')
      .replace(/\?/g, () => {
        count += 1
        return `$${count}`
      })
    translations.set(text, known)
  }
  return known
}
