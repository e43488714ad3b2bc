import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Run } from './run-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'outcry-run-files-'))
after(() => rm(folder, { recursive: true, force: true }))

type Outcome = { readonly passed: boolean; readonly output: string }

// In a process of its own: what its tests print must not be taken for results of this test.
async function runOf(bodies: readonly string[], more: Partial<Run> = {}): Promise<Outcome> {
  const files = bodies.map((_body, n) => join(folder, `${n}.test.mjs`))
  for (const [n, file] of files.entries()) await writeFile(file, bodies[n]!)
  const run: Run = { files, filesAtOnce: 2, ...more }
  const script = `
    import { passes } from '${import.meta.dirname}/run-files.ts'
    process.exitCode = (await passes(${JSON.stringify(run)})) ? 0 : 1
  `
  // A runner that is started by a test would report to the runner of that test.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const args = ['--input-type=module', '--eval', script]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout) => {
      resolve({ passed: error === null, output: stdout })
    })
  })
}

const runAgain = /^Run again, one after the other: (.*)$/m
const passedThen = /^PASSED ONLY WHEN RUN AGAIN: .*1\.test\.mjs$/m

const passing = "import { test } from 'node:test'\ntest('passes', () => {})\n"
const failing = "import { test } from 'node:test'\ntest('fails', () => { throw new Error() })\n"

function failingTimes(times: number): string {
  const count = join(folder, `${times}.count`)
  return `
    import { appendFileSync, readFileSync } from 'node:fs'
    import { test } from 'node:test'
    test('fails ${times} times', () => {
      appendFileSync('${count}', '.')
      if (readFileSync('${count}', 'utf8').length <= ${times}) throw new Error('busy')
    })
  `
}

test('files whose tests pass are run once', async () => {
  const { passed, output } = await runOf([passing, passing])
  assert.ok(passed, output)
  assert.doesNotMatch(output, runAgain)
})

test('a file that fails once is run again, and named', async () => {
  const { passed, output } = await runOf([passing, failingTimes(1)])
  assert.ok(passed, output)
  assert.match(output, passedThen)
  assert.doesNotMatch(runAgain.exec(output)![1]!, /0\.test/)
})

test('a file that fails twice fails', async () => {
  const { passed, output } = await runOf([passing, failingTimes(2)])
  assert.ok(!passed, output)
  assert.match(output, runAgain)
})

test('a file that ends before its tests fails', async () => {
  const { passed, output } = await runOf([passing, 'process.exit(3)'])
  assert.ok(!passed, output)
})

test('many files that fail are not run again', async () => {
  const { passed, output } = await runOf(Array.from({ length: 7 }, () => failing))
  assert.ok(!passed, output)
  assert.doesNotMatch(output, runAgain)
})

test('a test that is left out does not fail', async () => {
  assert.ok(!(await runOf([failing])).passed)
  assert.ok((await runOf([failing], { notTests: ['fails'] })).passed)
})
