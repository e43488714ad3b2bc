// Runs test files with the test runner of Node. A file that fails is run again by itself, once: the
// processors may have been too busy for it. What passes only then is printed, because it may also
// have a race.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

export type Run = {
  /** Paths or patterns. */
  readonly files: readonly string[]
  readonly filesAtOnce: number
  /** Titles of tests that are left out. */
  readonly notTests?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

/** More than these did not fail because the machine was busy. */
const runAgainMax = 6

const reporter = `${import.meta.dirname}/failed-files.ts`

export async function passes(run: Run): Promise<boolean> {
  const first = await runOnce(run)
  if (first.passed) return true
  const failed = first.failedFiles
  if (failed.length === 0 || failed.length > runAgainMax) return false
  console.log(`\nRun again, one after the other: ${names(failed)}`)
  const second = await runOnce({ ...run, files: failed, filesAtOnce: 1 })
  if (second.passed) console.log(`\nPASSED ONLY WHEN RUN AGAIN: ${names(failed)}`)
  return second.passed
}

type Outcome = { readonly passed: boolean; readonly failedFiles: readonly string[] }

async function runOnce({ files, filesAtOnce, notTests = [], env = {} }: Run): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-tests-'))
  const list = join(folder, 'failed-files')
  const reports = ['spec', 'stdout', reporter, list]
  const options = [
    '--test-force-exit',
    '--test-timeout=600000',
    `--test-concurrency=${filesAtOnce}`,
    ...reports.map((value, n) => `--test-reporter${n % 2 === 0 ? '' : '-destination'}=${value}`),
    ...notTests.map((title) => `--test-skip-pattern=^${RegExp.escape(title)}$`),
  ]
  try {
    const child = spawn(process.execPath, ['--test', ...options, ...files], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code] = await once(child, 'exit')
    return { passed: code === 0, failedFiles: linesOf(list) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function linesOf(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return [...new Set(lines.filter((line) => line !== ''))]
}

function names(paths: readonly string[]): string {
  return paths.map((path) => relative(process.cwd(), path)).join(', ')
}
