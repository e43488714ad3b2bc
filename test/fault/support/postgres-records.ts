// The records in a PostgreSQL database, read without the service.

import { auditPostgres } from '../../../src/cli/audit-postgres.ts'
import { query } from '../../support/store/postgres-databases.ts'
import { type StoredRecords, setsOf, setsTextFrom } from './record-checks.ts'

export function recordsIn(url: string, shard = 0): StoredRecords {
  return {
    sets: async () => setsOf(await query(url, setsTextFrom(`outcry_shard_${shard}.sets`))),
    audit: async () => (await auditPostgres(url)).violations,
  }
}
