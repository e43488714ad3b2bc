// Every command-line program explains its usage, and reports a wrong call in one line.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const root = new URL('../../../', import.meta.url)
/** As sysexits.h has it: what supervisors see of programs that operators run. */
const wrongCallOfOperator = 64
const wrongCall = 2

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
)
// The service and the generator of the client accept no options.
const programs = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file] = /\bnode ((?:src\/cli|test|bench|demo)\/\S+\.ts)$/.exec(script) ?? []
  return file === undefined ? [] : [{ name, file }]
})

async function run(file: string, ...words: string[]) {
  const child = spawn(process.execPath, [file, ...words], { cwd: root })
  const printed = [text(child.stdout), text(child.stderr)]
  const [code] = await once(child, 'close')
  const [out = '', error = ''] = await Promise.all(printed)
  return { code, out, error }
}

test('every program prints its usage with --help and exits with 0', async () => {
  assert.ok(programs.length >= 13, `${programs.length} programs`)
  for (const { name, file } of programs) {
    const { code, out, error } = await run(file, '--help')
    assert.deepEqual([code, error], [0, ''], name)
    assert.ok(out.startsWith(`Usage: npm run ${name}`), `${name}: ${out}`)
  }
})

test('an unknown option is reported without a stack trace', async () => {
  for (const { name, file } of programs) {
    const { code, out, error } = await run(file, '--no-such')
    const isForOperators = file.startsWith('src/cli/')
    assert.deepEqual([code, out], [isForOperators ? wrongCallOfOperator : wrongCall, ''], name)
    assert.match(error, isForOperators ? /^Usage: .*\n$/ : /^Unknown option '--no-such'.*\n/, name)
    assert.ok(error.trimEnd().split('\n').length <= 2, `${name}: ${error}`)
  }
})

test('an invalid number and an extra argument are reported in one line', async () => {
  const wrong = await run('test/fault/rounds/run-kills.ts', '--times', 'many')
  const expected = "--times must be a whole number, got 'many'; see --help.\n"
  assert.deepEqual(wrong, { code: wrongCall, out: '', error: expected })
  const extra = await run('test/sim/run.ts', '1', '2')
  assert.match(extra.error, /^Unexpected argument '2'; .*\n$/)
  const part = await run('bench/run.ts', '--only', 'nothing')
  assert.match(part.error, /^Unknown part 'nothing'; .*\n$/)
})
