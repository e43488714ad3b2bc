// Command line: runs the flow tests against nodes that own no shard. Every service of a test is a
// front end; a second process owns the shard, on a temporary PostgreSQL server.

import { globSync, readFileSync } from 'node:fs'
import { passes } from '../groups/run-files.ts'
import { exitWithUsageError, positiveNumber, readOptions } from '../support/process/options.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import {
  excludedFiles,
  excludedFilesOfFrontEnds,
  excludedTests,
  excludedTestsOfFrontEnds,
  shortFiles,
} from './excluded.ts'

const usage = `
Usage: npm run test:front [-- OPTIONS]
Runs the flow tests against nodes that own no shard; test/front/excluded.ts lists those that cannot
be run so. Needs PostgreSQL. Exits with 1 if a test fails.

  --short          runs only the choice that is part of npm test
  --only PATTERN   runs only files whose path has this text, such as orders/
  --front-ends N   against services with FRONT_ENDS=N instead, on SQLite
`
const { values } = readOptions({
  usage,
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'front-ends': { type: 'string' },
  },
})
const frontEnds = values['front-ends']
if (frontEnds !== undefined) positiveNumber('--front-ends', frontEnds)
const notFiles = frontEnds === undefined ? excludedFiles : excludedFilesOfFrontEnds
const notTests = frontEnds === undefined ? excludedTests : excludedTestsOfFrontEnds
/** Each test has two nodes, with about 30 connections. */
const settings = { ...quick.settings, max_connections: '400' }
const filesAtOnce = 2

const folder = `${import.meta.dirname}/../flow`
const all = globSync('*/*.test.ts', { cwd: folder }).sort()
checkExclusions()
const files = (values.short ? shortFiles : all).filter(
  (file) => !(file in notFiles) && file.includes(values.only),
)
if (files.length === 0) exitWithUsageError(`No file has '${values.only}' in its path`)
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

if (frontEnds === undefined) await runOnPostgres()
else process.exitCode = await runTests({ TEST_FRONT_ENDS: frontEnds })
if (!values.short) printExclusions()

async function runOnPostgres(): Promise<void> {
  const server = await postgresOrNot('flow tests behind a front end', { settings })
  if (server === null) return
  try {
    process.exitCode = await runTests({ TEST_FRONT: 'true', TEST_POSTGRES: server.url })
  } finally {
    await server.stop()
  }
}

async function runTests(env: Readonly<Record<string, string>>): Promise<number> {
  const paths = files.map((file) => `${folder}/${file}`)
  const run = { files: paths, filesAtOnce, notTests: Object.keys(notTests), env }
  return (await passes(run)) ? 0 : 1
}

// An exclusion of what no longer exists would hide that nothing is excluded.
function checkExclusions(): void {
  const texts = all.map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  for (const file of [...Object.keys(notFiles), ...shortFiles]) {
    if (!all.includes(file)) throw new Error(`test/flow has no file ${file}.`)
  }
  for (const title of Object.keys(notTests)) {
    if (!texts.some((text) => text.includes(title))) throw new Error(`No test is named "${title}".`)
  }
}

function printExclusions(): void {
  console.log('Not run behind a front end:')
  for (const [what, why] of Object.entries({ ...notFiles, ...notTests })) {
    console.log(`  ${what}: ${why}`)
  }
}
