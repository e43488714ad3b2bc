// An audit of a PostgreSQL database: copies a snapshot of each shard to a SQLite database in a
// temporary folder, and runs the checks there.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert } from '../core/assert.ts'
import { presentEngineVersion } from '../store/engine-version.ts'
import { findShards, readTables } from '../store/postgres/read-tables.ts'
import type { ShardSchema } from '../store/postgres/shard-schema.ts'
import {
  type AuditProgress,
  type AuditReport,
  auditFolder,
  violationsShownMax,
} from '../store/sqlite/audit/audit.ts'
import { FolderFiller } from '../store/sqlite/fill-folder.ts'
import { UsageError } from './command-line.ts'

type Options = {
  readonly onProgress?: AuditProgress
  /** Only this shard is audited; null for all. */
  readonly shard?: number | null
}

/** Needs as much temporary disk space as its largest shard. Throws StoreCannotOpen, UsageError. */
export async function auditPostgres(
  url: string,
  { onProgress = () => undefined, shard: wanted = null }: Options = {},
): Promise<AuditReport> {
  const all = await findShards(url)
  const shards = wanted === null ? all : all.filter(({ shard }) => shard === wanted)
  if (shards.length === 0) throw unknownShard(wanted, all.length)
  let whole: AuditReport | null = null
  for (const [done, shard] of shards.entries()) {
    const report = await auditShard(url, shard, {
      onProgress: ({ check, part }) => onProgress({ check, part: (done + part) / shards.length }),
    })
    const named = all.length === 1 ? report : namedAfter(shard, report)
    whole = whole === null ? named : sumOf(whole, named)
  }
  assert(whole !== null, 'a database has a shard')
  return whole
}

export function unknownShard(shard: number | null, count: number): UsageError {
  const expected = count === 1 ? 'there is only shard 0' : `there are shards 0 to ${count - 1}`
  return new UsageError(`There is no shard ${shard}; ${expected}.`)
}

function namedAfter({ shard }: ShardSchema, report: AuditReport): AuditReport {
  const violations = report.violations.map((violation) => `shard ${shard}: ${violation}`)
  return { ...report, violations }
}

function sumOf(one: AuditReport, other: AuditReport): AuditReport {
  const kinds = Object.keys(one.counts) as (keyof AuditReport['counts'])[]
  return {
    violations: [...one.violations, ...other.violations].slice(0, violationsShownMax),
    violationCount: one.violationCount + other.violationCount,
    checks: one.checks,
    counts: Object.fromEntries(
      kinds.map((kind) => [kind, one.counts[kind] + other.counts[kind]]),
    ) as AuditReport['counts'],
  }
}

async function auditShard(url: string, shard: ShardSchema, options: Options): Promise<AuditReport> {
  const folder = await mkdtemp(join(tmpdir(), 'outcry-audit-'))
  try {
    const filler = new FolderFiller({
      folder,
      shard: shard.shard,
      engineVersion: presentEngineVersion,
    })
    try {
      await readTables(url, shard, filler)
    } finally {
      filler.close()
    }
    return await auditFolder(folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
