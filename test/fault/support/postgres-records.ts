// The records in a PostgreSQL database, read without the service.

import { auditPostgres } from '../../../src/cli/audit-postgres.ts'
import { query } from '../../support/store/postgres-databases.ts'
import { type StoredRecords, setsOf, setsText } from './record-checks.ts'

export function recordsIn(url: string): StoredRecords {
  return {
    sets: async () => setsOf(await query(url, setsText)),
    audit: async () => (await auditPostgres(url)).violations,
  }
}
