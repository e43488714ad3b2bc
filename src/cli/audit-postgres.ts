// An audit of a PostgreSQL database: copies a snapshot of it to a SQLite database in a temporary
// folder, and runs the checks there.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presentEngineVersion } from '../store/engine-version.ts'
import { readTables } from '../store/postgres/read-tables.ts'
import { type AuditProgress, type AuditReport, auditFolder } from '../store/sqlite/audit/audit.ts'
import { FolderFiller } from '../store/sqlite/fill-folder.ts'

/** Needs as much temporary disk space as the records. Throws a StoreCannotOpen. */
export async function auditPostgres(
  url: string,
  options: { readonly onProgress?: AuditProgress } = {},
): Promise<AuditReport> {
  const folder = await mkdtemp(join(tmpdir(), 'outcry-audit-'))
  try {
    const filler = new FolderFiller({ folder, shard: 0, engineVersion: presentEngineVersion })
    try {
      await readTables(url, filler)
    } finally {
      filler.close()
    }
    return await auditFolder(folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
