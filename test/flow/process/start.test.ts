// Starting the service: what it prints, and the line that explains a failed start.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { grpcAddressOf } from '../../support/grpc/grpc-client.ts'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import {
  adminKey as ADMIN_API_KEY,
  failedStart,
  newFolder,
  Service,
} from '../../support/process/outcry-process.ts'

const run = promisify(execFile)

/** The one line that a failed start prints. */
async function lineOf(options: Parameters<typeof failedStart>[0]): Promise<string> {
  const { code, printed } = await failedStart(options)
  assert.ok(code !== null && code !== 0, `it ended with ${code}`)
  const lines = printed.trim().split('\n')
  assert.equal(lines.length, 1, printed)
  return lines[0]!
}

test('an invalid setting stops the start with a line: its name and what is expected', async () => {
  const wrong: Readonly<Record<string, string>> = {
    PORT: 'http',
    GRPC_PORT: '70000',
    HOST: 'not a host',
    DATABASE_URL: 'mysql://x',
    ADMIN_API_KEY: 'short',
    DEMO_OPERATOR: 'maybe',
    DEFAULT_TRADING_FEE_PERCENT: '101',
    MIN_ORDER_SHARES: '0',
    MAX_ORDER_SHARES: '1.005',
    MIN_ORDER_PRICE: '0',
    MAX_ORDER_PRICE: '1',
    MAX_OPERATOR_MARKETS: '-1',
    MAX_OPERATOR_OUTCOMES: 'x',
    MAX_OPERATOR_TEXT_MB: '0.5',
    EVENT_RETENTION_HOURS: '-1',
    WEBHOOK_ALLOW_INSECURE: 'yes',
    LOG_LEVEL: 'loud',
    RATE_LIMIT_ORDERS: '-1',
    RATE_LIMIT_REQUESTS: 'x',
    RATE_LIMIT_PUBLIC: '1.5',
  }
  const dataDir = await newFolder()
  const check = async ([name, value]: [string, string]) => {
    const line = await lineOf({ dataDir, env: { [name]: value } })
    assert.match(line, new RegExp(`^${name} must be .*, got `))
  }
  const entries = Object.entries(wrong)
  while (entries.length > 0) await Promise.all(entries.splice(0, 4).map(check))
  assert.deepEqual(await readdir(dataDir), [], 'nothing was made')
})

test('a HOST that is not an address of this machine stops the start', async () => {
  const dataDir = await newFolder()
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['no-such-host.invalid', /^HOST must be .*: "no-such-host\.invalid" has no address\.$/],
    ['192.0.2.1', /^HOST must be .*: "192\.0\.2\.1" is not an address of this machine\.$/],
    ['2001:db8::1', /^HOST must be .*: "2001:db8::1" is not an address of this machine\.$/],
  ]
  for (const [host, expected] of wrong) {
    const { code, printed } = await failedStart({ dataDir, env: { HOST: host } })
    assert.equal(code, 78)
    assert.match(printed.trimEnd(), expected)
  }
  assert.deepEqual(await readdir(dataDir), [], 'nothing was made')
})

test('contradicting settings are both named', async () => {
  const env = { MIN_ORDER_PRICE: '0.5', MAX_ORDER_PRICE: '0.4' }
  assert.match(await lineOf({ env }), /MIN_ORDER_PRICE.*MAX_ORDER_PRICE/)
})

test('a missing or wrong secrets key stops the start, and no new one is left', async () => {
  const dataDir = await newFolder()
  const service = await Service.start({ dataDir })
  await OperatorClient.create(service)
  await service.stop()
  const path = join(dataDir, 'secrets.key')
  const key = await readFile(path, 'utf8')
  await rm(path)
  assert.match(
    await lineOf({ dataDir }),
    /secrets\.key is missing: restore the file, or set OUTCRY/,
  )
  const files = await readdir(dataDir)
  assert.ok(!files.includes('secrets.key'), 'the place of the right one stays free')
  const env = { OUTCRY_SECRETS_KEY: '7'.repeat(64) }
  assert.match(await lineOf({ dataDir, env }), /^OUTCRY_SECRETS_KEY does not match the database: /)
  await writeFile(path, `${'7'.repeat(64)}\n`)
  assert.match(await lineOf({ dataDir }), /secrets\.key does not match the database: restore /)
  await writeFile(path, key)
  await (await Service.start({ dataDir })).stop()
  await rm(dataDir, { recursive: true })
})

test('a port or data folder in use is reported', async () => {
  const service = await Service.start()
  try {
    const { port } = new URL(service.url)
    assert.match(await lineOf({ env: { PORT: port } }), new RegExp(`Port ${port} is in use`))
    const grpcPort = grpcAddressOf(service).split(':')[1]!
    const inUse = await lineOf({ env: { GRPC_PORT: grpcPort } })
    assert.match(inUse, new RegExp(`Port ${grpcPort} is in use.* GRPC_PORT`))
    const both = await lineOf({ env: { PORT: port, GRPC_PORT: grpcPort } })
    assert.match(
      both,
      new RegExp(`^Ports ${grpcPort} and ${port} are in use .* GRPC_PORT and PORT`),
    )
    const line = await lineOf({ dataDir: service.dataDir })
    assert.ok(line.includes(service.dataDir) && line.includes('in use'), line)
    assert.equal((await service.request('GET', '/ready')).status, 200)
  } finally {
    await service.stop()
  }
})

test('a start that fails at a port in use leaves the demo key to the next start', async () => {
  const other = await Service.start()
  const dataDir = await newFolder()
  const env = { DEMO_OPERATOR: 'true' }
  try {
    const { port } = new URL(other.url)
    await lineOf({ dataDir, env: { ...env, PORT: port } })
    await lineOf({ dataDir, env: { ...env, GRPC_PORT: grpcAddressOf(other).split(':')[1]! } })
  } finally {
    await other.stop()
  }
  const service = await Service.start({ dataDir, env })
  const printed = service.printed()
  await service.stop()
  assert.match(printed, /oc_live_/)
})

test('an unusable data folder is reported', async () => {
  const folder = await newFolder()
  const file = join(folder, 'file')
  await writeFile(file, 'x')
  for (const dataDir of [file, join(file, 'below')]) {
    assert.ok((await lineOf({ dataDir })).includes(dataDir))
  }
  // Root may write anywhere.
  if (process.getuid?.() !== 0) {
    await chmod(folder, 0o500)
    assert.ok((await lineOf({ dataDir: folder })).includes(folder))
    await chmod(folder, 0o700)
  }
  assert.ok((await lineOf({ dataDir: '/proc/outcry' })).includes('/proc/outcry'))
})

test('data of a newer version are reported and stay unchanged', async () => {
  const dataDir = await newFolder()
  await (await Service.start({ dataDir })).stop()
  const name = (await readdir(dataDir)).find((each) => /\.(db|sqlite3?)$/.test(each))
  assert.ok(name !== undefined)
  const database = new DatabaseSync(join(dataDir, name))
  database.exec('PRAGMA user_version = 9999')
  database.close()
  assert.match(await lineOf({ dataDir }), /newer version/)
})

test('a first start creates an administrator key that only the owner can read', async () => {
  const dataDir = await newFolder()
  const env = { ADMIN_API_KEY: '' }
  const first = await Service.start({ dataDir, env })
  const path = /admin key\s+in (\S+)/.exec(first.printed())?.[1]
  assert.ok(path !== undefined, first.printed())
  const key = (await readFile(path, 'utf8')).trim()
  assert.equal((await stat(path)).mode & 0o077, 0)
  assert.equal(first.printed().includes(key), false, 'it is not printed')
  const listed = (service: Service) =>
    service.request('GET', '/api/v1/admin/operators', { headers: { 'x-admin-key': key } })
  assert.equal((await listed(first)).status, 200)
  await first.stop()
  const second = await Service.start({ dataDir, env })
  try {
    assert.equal((await listed(second)).status, 200)
    assertRefused(await second.admin('GET', '/api/v1/admin/operators'), 'UNAUTHORIZED')
  } finally {
    await second.stop()
  }
})

test('a first start creates "demo" once, and its printed commands lead to a trade', async () => {
  const dataDir = await newFolder()
  const env = { DEMO_OPERATOR: '' }
  const first = await Service.start({ dataDir, env })
  const commands = first
    .printed()
    .split('\n')
    .filter((line) => /^ {2}(export |api|IDS=|MARKET=)/.test(line))
  const folder = await mkdtemp(join(tmpdir(), 'outcry-paste-'))
  const script = join(folder, 'paste.sh')
  await writeFile(script, `${commands.join('\n')}\n`)
  for (const shell of ['bash', 'sh']) {
    const { stdout, stderr } = await run(shell, [script])
    const last = JSON.parse(stdout.trim().split('\n').at(-1)!)
    assert.equal(last.success, true, stdout + stderr)
    const { playerId, shares, avgPrice } = last.data[0]
    assert.deepEqual([playerId, shares, avgPrice], ['bob', '10', '0.6'])
  }
  const operators = await first.admin('GET', '/api/v1/admin/operators')
  assert.deepEqual(
    operators.body.data.map(({ name }: { name: string }) => name),
    ['demo'],
  )
  await first.stop()
  const second = await Service.start({ dataDir, env })
  try {
    assert.doesNotMatch(second.printed(), /KEY=/)
    const paste = /^ {2}(curl .+)$/m.exec(second.printed())?.[1] ?? ''
    const { stdout } = await run('sh', ['-c', paste], { env: { ...process.env, ADMIN_API_KEY } })
    const { apiKey } = JSON.parse(stdout).data
    assert.equal((await second.request('GET', '/api/v1/orders', { key: apiKey })).status, 200)
    const after = await second.admin('GET', '/api/v1/admin/operators')
    assert.equal(after.body.data.length, 1)
  } finally {
    await second.stop()
    await rm(folder, { recursive: true })
  }
})

test('DEMO_OPERATOR=false creates no operator', async () => {
  const service = await Service.start()
  try {
    const { body } = await service.admin('GET', '/api/v1/admin/operators')
    assert.deepEqual(body.data, [])
  } finally {
    await service.stop()
  }
})

test('a service on all interfaces says so, and one on a single address does not', async () => {
  const line = /It listens on all interfaces, .*HOST=127\.0\.0\.1/
  for (const HOST of ['', '::', '127.0.0.1']) {
    const service = await Service.start({ env: { HOST } })
    const printed = service.printed()
    await service.stop()
    assert.equal(line.test(printed), HOST !== '127.0.0.1', printed)
  }
})
