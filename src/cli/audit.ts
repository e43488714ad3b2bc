// npm run audit: checks every record of the data folder or of a PostgreSQL database, also while a
// service is running.

import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { type AuditReport, auditFolder } from '../store/sqlite/audit/audit.ts'
import { auditPostgres, unknownShard } from './audit-postgres.ts'
import { exitCodes, runProgram, UsageError } from './command-line.ts'
import { ProgressBar } from './progress-bar.ts'

const usage =
  'Usage: npm run audit -- [--json] [--shard n]; reads DATA_DIR, or DATABASE_URL if it is set. ' +
  'Without --shard it covers all shards.'

async function audit(args: string[]): Promise<number> {
  const { isJson, shard } = parseOptions(args)
  const { dataDir, databaseUrl } = readConfig(process.env)
  const bar = new ProgressBar()
  const options = {
    onProgress: ({ check, part }: { check: string; part: number }) => bar.show(part, check),
  }
  if (databaseUrl === null && (shard ?? 0) !== 0) throw unknownShard(shard, 1)
  const auditing =
    databaseUrl === null
      ? auditFolder(dataDir, options)
      : auditPostgres(databaseUrl, { ...options, shard })
  const report = await auditing.finally(() => bar.end())
  process.stdout.write(isJson ? `${JSON.stringify(report)}\n` : textOf(report))
  return report.violationCount === 0 ? exitCodes.fine : exitCodes.violations
}

type Options = { readonly isJson: boolean; readonly shard: number | null }

function parseOptions(args: string[]): Options {
  const { json = false, shard } = parsedArgs(args)
  if (shard === undefined) return { isJson: json, shard: null }
  if (!/^[0-9]{1,4}$/.test(shard)) {
    throw new UsageError(`--shard must be the number of a shard, got "${shard}".`)
  }
  return { isJson: json, shard: Number(shard) }
}

function parsedArgs(args: string[]) {
  try {
    const options = { json: { type: 'boolean' }, shard: { type: 'string' } } as const
    return parseArgs({ args, options }).values
  } catch {
    throw new UsageError(usage)
  }
}

function textOf({ violations, violationCount, counts }: AuditReport): string {
  const lines = [...violations]
  const hidden = violationCount - violations.length
  if (hidden > 0) lines.push(`... and ${written(hidden)} more.`)
  const kinds = Object.entries(counts).map(([kind, count]) => `${written(count)} ${spaced(kind)}`)
  const word = violationCount === 1 ? 'violation' : 'violations'
  lines.push(`${written(violationCount)} ${word} in ${kinds.join(', ')}`)
  return `${lines.join('\n')}\n`
}

/** "eventRecords" as "event records". */
function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function written(count: number): string {
  return count.toLocaleString('en-US')
}

await runProgram(audit, usage)
