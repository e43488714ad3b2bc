// The id of the history of a database: the first start draws it, every later one keeps it, and
// `npm run restored` replaces it.

import { randomUUID } from 'node:crypto'
import { presentEngineVersion } from '../engine-version.ts'
import { StoreCannotOpen } from '../start-errors.ts'
import type { Client } from './connection.ts'
import { withSoleUse } from './sole-use.ts'

/** The step that has added the table. */
const historySince = 9

export async function setUpHistory(client: Client): Promise<void> {
  await client.query('INSERT INTO history (id) VALUES ($1) ON CONFLICT DO NOTHING', [randomUUID()])
}

/**
 * Returns the new id; null if the tables are of an earlier version, whose next start draws one.
 * Throws a StoreCannotOpen, also if a service or a node uses the database.
 */
export function renewHistory(url: string): Promise<string | null> {
  const program = { url, place: null, engineVersion: presentEngineVersion }
  const noTimeProblem = () => null
  return withSoleUse(program, noTimeProblem, async (client, version) => {
    if (version === 0) throw new StoreCannotOpen('There are no records in DATABASE_URL.')
    if (version < historySince) return null
    const id = randomUUID()
    await client.query(
      `INSERT INTO history (id) VALUES ($1)
       ON CONFLICT (is_only_row) DO UPDATE SET id = excluded.id`,
      [id],
    )
    return id
  })
}
