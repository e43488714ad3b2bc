// An audit of a PostgreSQL database: one state of it is copied into a folder of its own, and the
// checks, which are written for SQLite, are run there.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presentEngineVersion } from '../store/engine-version.ts'
import { readTables } from '../store/postgres/read-tables.ts'
import { type AuditProgress, type AuditReport, auditFolder } from '../store/sqlite/audit/audit.ts'
import { FolderFiller } from '../store/sqlite/fill-folder.ts'

/** Needs as much room for temporary files as the records take. Throws a StoreCannotOpen. */
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
