// The audit of what a service has stored, in its data folder or on the server of the tests.

import { basename } from 'node:path'
import { auditPostgres } from '../../../src/cli/audit-postgres.ts'
import { type AuditReport, auditFolder } from '../../../src/store/sqlite/audit/audit.ts'
import { namedDatabase } from './postgres-databases.ts'

export async function auditData(dataDir: string): Promise<AuditReport> {
  const server = process.env.TEST_POSTGRES
  if (server === undefined) return auditFolder(dataDir)
  return auditPostgres(await namedDatabase(server, basename(dataDir)))
}
