// The log: its lines, its levels, and what it hides.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createLog, type LogFields, type LogOptions } from './log.ts'

const apiKey = `oc_live_${'aB3'.repeat(16)}x`

function newLog(level: LogOptions['level'] = 'debug') {
  const lines: string[] = []
  return { log: createLog({ level, write: (line) => lines.push(line) }), lines }
}

function lineOf(fields: LogFields): string {
  const { log, lines } = newLog()
  log.info('something.happened', fields)
  assert.equal(lines.length, 1)
  return lines[0]!
}

describe('a log line', () => {
  test('is one JSON object with its level, time, event and fields', () => {
    const { time, ...rest } = JSON.parse(lineOf({ port: 8084, text: 'two\nlines' }))
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const expected = { level: 'info', event: 'something.happened', port: 8084, text: 'two\nlines' }
    assert.deepEqual(rest, expected)
    assert.equal(
      lineOf({ text: 'two\nlines' }).indexOf('\n'),
      lineOf({ text: 'two\nlines' }).length - 1,
    )
  })

  test('is written if its level is at least the configured one', () => {
    const counts = (['debug', 'info', 'warn', 'error', 'silent'] as const).map((level) => {
      const { log, lines } = newLog(level)
      for (const at of ['debug', 'info', 'warn', 'error'] as const) log[at]('tried')
      return lines.length
    })
    assert.deepEqual(counts, [4, 3, 2, 1, 0])
  })

  test('contains the code, stack and cause of an error, and no other fields of it', () => {
    const cause = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
    const error = Object.assign(new Error('not stored', { cause }), { request: 'whole' })
    const shown = JSON.parse(lineOf({ error })).error
    assert.deepEqual(Object.keys(shown), ['name', 'message', 'stack', 'cause'])
    assert.match(shown.stack, /log\.test\.ts/)
    assert.equal(shown.cause.message, 'the disk is full')
    assert.equal(shown.cause.code, 'ENOSPC')
  })

  test('has a limited length, whatever its fields', () => {
    const circular: Record<string, unknown> = { count: 2n ** 60n, bytes: new Uint8Array(1e6) }
    for (let branch = 0; branch < 90; branch += 1) circular[`self${branch}`] = circular
    const line = lineOf({ circular, text: 'a'.repeat(1e6), list: Array.from({ length: 1e5 }) })
    assert.ok(line.length < 30_000, `${line.length} characters`)
    assert.equal(JSON.parse(line).circular.count, String(2n ** 60n))
  })

  test('is on stdout even if the process ends at once', () => {
    const file = fileURLToPath(new URL('./log.ts', import.meta.url))
    const program = `import { createLog } from ${JSON.stringify(file)}
      createLog({ level: 'info' }).info('last.words'); process.exit(3)`
    const run = () => execFileSync(process.execPath, ['--input-type=module', '-e', program])
    assert.throws(run, (error: { status: number; stdout: Buffer }) => {
      assert.equal(error.status, 3)
      assert.equal(JSON.parse(String(error.stdout)).event, 'last.words')
      return true
    })
  })
})

describe('the log hides', () => {
  const names = [
    ...['apiKey', 'x-api-key', 'X-Api-Key', 'x-admin-key', 'ADMIN_API_KEY', 'secret', 'secretKey'],
    ...['authorization', 'Authorization', 'cookie', 'sealedSecret', 'body', 'OUTCRY_SECRETS_KEY'],
    ...['previousSealedSecret', 'signingSecret', 'webhook-signature'],
  ]
  for (const name of names) {
    test(`fields named ${name}, at any depth`, () => {
      const value = 'Oq7hidden'
      const deep = { request: { headers: [{ [name]: value }] }, [name]: { inner: value } }
      assert.ok(!lineOf(deep).includes(value), lineOf(deep))
    })
  }

  test('a key in a longer text or in an error', () => {
    const error = new Error(`no such key: ${apiKey}`, { cause: new Error(apiKey) })
    const line = lineOf({ url: `/ws?key=${apiKey}&a=1`, error, list: [apiKey] })
    assert.ok(!line.includes(apiKey.slice(8, 20)), line)
    assert.match(line, /\/ws\?key=oc_live_\[hidden\]&a=1/)
  })

  test('the password in a URL', () => {
    const line = lineOf({ message: 'cannot reach postgres://outcry:Oq7hidden@db:5432/outcry' })
    assert.ok(!line.includes('Oq7hidden'), line)
    assert.ok(line.includes('outcry:[hidden]@db:5432'), line)
  })
})
