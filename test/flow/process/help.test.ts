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
/** What sets the size of each longer run. */
const sizes = {
  attacks: '--seconds',
  'io-errors': '--upto',
  kills: '--times',
  'power-cuts': '--points',
  restarts: '--times',
  'settle-kills': '--times',
  'settle-soak': '--players',
  siege: '--minutes',
  stalled: '--clients',
  takeovers: '--times',
}

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
)
// The service and the generator of the client accept no options.
const programs = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file] = /\bnode ((?:src\/cli|test|bench|demo)\/\S+\.ts)$/.exec(script) ?? []
  return file === undefined ? [] : [{ name, file }]
})

async function run(file: string, ...words: string[]) {
  return runWith({}, file, ...words)
}

async function runWith(env: NodeJS.ProcessEnv, file: string, ...words: string[]) {
  const child = spawn(process.execPath, [file, ...words], {
    cwd: root,
    env: { ...process.env, ...env },
  })
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

test('a run of no size is refused, because it would check nothing', async () => {
  for (const [name, option] of Object.entries(sizes)) {
    const { code, out, error } = await run(`test/fault/rounds/run-${name}.ts`, option, '0')
    const expected = `${option} must be a whole number from 1 on, got '0'; see --help.\n`
    assert.deepEqual({ code, out, error }, { code: wrongCall, out: '', error: expected })
  }
})

test('an invalid number and an extra argument are reported in one line', async () => {
  const wrong = await run('test/fault/rounds/run-kills.ts', '--times', 'many')
  const expected = "--times must be a whole number from 1 on, got 'many'; see --help.\n"
  assert.deepEqual(wrong, { code: wrongCall, out: '', error: expected })
  const extra = await run('test/sim/run.ts', '1', '2')
  assert.match(extra.error, /^Unexpected argument '2'; .*\n$/)
  const part = await run('bench/run.ts', '--only', 'nothing')
  assert.match(part.error, /^Unknown part 'nothing'; .*\n$/)
})

test('a missing tool is reported in one line', async () => {
  for (const name of ['io-errors', 'power-cuts']) {
    const found = await runWith({ PATH: '' }, `test/fault/rounds/run-${name}.ts`)
    const error = 'strace is not installed, and this run needs it.\n'
    assert.deepEqual(found, { code: 1, out: '', error })
  }
})
