// What a database on PostgreSQL keeps, looked at without the service.

import { auditPostgres } from '../../../src/cli/audit-postgres.ts'
import { ask } from '../../support/store/postgres-databases.ts'
import { type Kept, setsOf, setsText } from './record-checks.ts'

export function keptIn(url: string): Kept {
  return {
    sets: async () => setsOf(await ask(url, setsText)),
    audit: async () => (await auditPostgres(url)).violations,
  }
}
