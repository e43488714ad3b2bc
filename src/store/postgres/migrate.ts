// Migrates the tables to the version of this code, one step per file in migrations/, inside the
// transaction of a start.

import { readdirSync, readFileSync } from 'node:fs'
import type { Client } from './connection.ts'

const steps = new URL('./migrations/', import.meta.url)

/** 0 for an empty database. */
export async function schemaVersion(client: Client): Promise<number> {
  const { rows } = await client.query(`SELECT to_regclass('schema_version') IS NOT NULL AS is_made`)
  if (rows[0]?.is_made !== true) return 0
  const found = await client.query('SELECT version FROM schema_version')
  return Number(found.rows[0]?.version ?? 0)
}

export function knownVersion(): number {
  return stepFiles().length
}

export async function migrate(client: Client, version: number): Promise<void> {
  if (version === 0) {
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
    await client.query('INSERT INTO schema_version VALUES (0)')
  }
  for (const file of stepFiles().slice(version)) {
    await client.query(readFileSync(new URL(file, steps), 'utf8'))
  }
  await client.query('UPDATE schema_version SET version = $1', [knownVersion()])
}

function stepFiles(): string[] {
  return readdirSync(steps)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}
