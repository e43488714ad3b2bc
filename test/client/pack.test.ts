// The packed client as its users have it: installed from the tarball into a project of their own,
// compiled with the oldest and the newest compiler, imported and required.

import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { portOf } from '../support/process/tcp-proxy.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const clientFolder = join(root, 'client')
const oldest = join(root, 'test/client/consumer/node_modules')
const newest = join(root, 'node_modules')
const manifest = JSON.parse(readFileSync(join(clientFolder, 'package.json'), 'utf8'))

const folder = mkdtempSync(join(tmpdir(), 'outcry-packed-'))
after(() => rmSync(folder, { recursive: true, force: true }))
// Settings of the user must not change the result.
writeFileSync(join(folder, 'npmrc'), '')
const env = { ...process.env, npm_config_userconfig: join(folder, 'npmrc') }
const project = join(folder, 'project')
const packed = JSON.parse(npm(clientFolder, 'pack', '--json', '--pack-destination', folder))[0]
mkdirSync(project)
writeFileSync(join(project, 'package.json'), '{ "private": true }')
npm(project, 'install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename))
for (const name of ['@types/node', 'undici-types']) {
  cpSync(join(oldest, name), join(project, 'node_modules', name), { recursive: true })
}

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }).toString()
}

const program = `
import { answerOf, isOutcryError, newTransactionId, OutcryClient, OutcryError, Stream,
  verifySignature } from 'outcry-client'
import type { Answer, CallOptions, ClientOptions, Event, Feed, LiveBook, Order, PlaceOrder,
  WebSocketClass } from 'outcry-client'

const options: ClientOptions = { baseUrl: 'http://127.0.0.1:1', retryMs: 0, fetch }
const client = new OutcryClient(options)
const order: PlaceOrder = { marketId: 'm', outcomeId: 'o', playerId: 'p', side: 'BUY',
  type: 'LIMIT', shares: 1, price: 0.5, transactionId: newTransactionId() }
async function place(call: CallOptions): Promise<Order> {
  const placement = await client.orders.place(order, call)
  const answer: Answer | null = answerOf(placement)
  if (answer?.isReplayed === true) throw new Error(String(answer.requestId))
  for await (const each of client.orders.each({ playerId: 'p' })) if (each.price === '0') break
  return placement.order
}
async function follow(socket: WebSocketClass, signal: AbortSignal): Promise<number> {
  const stream: Stream = client.stream({ WebSocket: socket, signal })
  const book: LiveBook = await stream.liveBook('m', 'o').ready({ signal })
  const events: Feed<Event> = stream.events({ since: 0, signal })
  for await (const event of events) {
    if (event.eventType === 'ORDER_MATCHED') return event.payload.price + book.version
  }
  return 0
}
place({ signal: new AbortController().signal, timeoutMs: 1_000 }).catch(async (error: unknown) => {
  const isOurs = error instanceof OutcryError && isOutcryError(error, 'NETWORK_ERROR')
  const isValid = await verifySignature('s', '{}', {})
  console.log(isOurs, isValid, typeof follow)
})
`

type Setup = {
  readonly name: string
  readonly module: string
  readonly moduleResolution: string
  readonly file: 'program.mts' | 'program.cts' | 'program.ts'
  readonly compilers: readonly string[]
}

const both = [oldest, newest]
const setups: readonly Setup[] = [
  { name: 'ES modules', file: 'program.mts', compilers: both, ...sameOf('nodenext') },
  { name: 'CommonJS', file: 'program.cts', compilers: both, ...sameOf('nodenext') },
  {
    ...{ name: 'a bundler', file: 'program.ts', compilers: both },
    ...{ module: 'esnext', moduleResolution: 'bundler' },
  },
  {
    // The newest compiler does not have it any more.
    ...{ name: 'CommonJS as before Node 12', file: 'program.ts', compilers: [oldest] },
    ...{ module: 'commonjs', moduleResolution: 'node10' },
  },
]

function sameOf(module: string) {
  return { module, moduleResolution: module }
}

/** The types of the platform: of a browser, or of Node without those of the DOM. */
const platforms = [
  { name: 'DOM', options: { lib: ['es2022', 'dom'], types: [] } },
  { name: 'Node', options: { lib: ['es2022'], types: ['node'] } },
]

for (const { name, file, compilers, ...modules } of setups) {
  for (const platform of platforms) {
    for (const compiler of compilers) {
      const version: string = versionOf(compiler)
      test(`types compile for ${name} with TypeScript ${version} and ${platform.name}`, () => {
        const at = join(project, `${file}-${modules.module}-${platform.name}-${version}`)
        mkdirSync(at)
        writeFileSync(join(at, file), program)
        const compilerOptions = {
          ...{ ...modules, ...platform.options, target: 'es2022', outDir: 'out' },
          ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
        }
        writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
        const { status, stdout } = spawnSync(
          process.execPath,
          [join(compiler, 'typescript/bin/tsc'), '--project', at],
          { cwd: at },
        )
        assert.equal(status, 0, stdout.toString())
        if (modules.module === 'esnext') return
        const ran = join(at, 'out', file.replace('ts', 'js'))
        assert.equal(execFileSync(process.execPath, [ran]).toString(), 'true false function\n')
      })
    }
  }
}

function versionOf(compiler: string): string {
  return JSON.parse(readFileSync(join(compiler, 'typescript/package.json'), 'utf8')).version
}

test('the oldest compiler of this test is 5.4', () => {
  assert.match(versionOf(oldest), /^5\.4\./)
})

test('a program that imports and requires the client recognizes errors of both', () => {
  const text = `
    import { createRequire } from 'node:module'
    import { isOutcryError, OutcryError } from 'outcry-client'
    const required = createRequire(import.meta.url)('outcry-client')
    const fields = { code: 'TIMEOUT', message: 'late' }
    const errors = [new OutcryError(fields), new required.OutcryError(fields)]
    const found = errors.flatMap((error) => [isOutcryError(error, 'TIMEOUT'),
      required.isOutcryError(error, 'TIMEOUT'), isOutcryError(error, 'TOO_SLOW')])
    console.log(errors[0] instanceof required.OutcryError, found.join())`
  writeFileSync(join(project, 'both.mjs'), text)
  const printed = execFileSync(process.execPath, [join(project, 'both.mjs')]).toString()
  assert.equal(printed, 'false true,true,false,true,true,false\n')
})

test('the tarball has the licence, the sources, and a map of every compiled file', () => {
  const at = join(project, 'node_modules', manifest.name)
  assert.equal(readFileSync(join(at, 'LICENSE'), 'utf8'), readFileSync(`${root}/LICENSE`, 'utf8'))
  const files = globSync('**/*', { cwd: at })
  assert.ok(files.includes('README.md') && !files.some((name) => name.endsWith('.test.ts')))
  const compiled = files.filter((name) => /^dist\/.*(?<!\.d)\.[jt]s$|\.d\.ts$/.test(name))
  assert.ok(compiled.length > 80)
  for (const name of compiled) {
    const map = JSON.parse(readFileSync(join(at, `${name}.map`), 'utf8'))
    for (const source of map.sources) {
      assert.ok(files.includes(join(name, '..', source)), `${name}: ${source}`)
    }
  }
})

test('the package has no dependencies, and its version is that of its user agent', async () => {
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    assert.equal(manifest[field], undefined)
  }
  const { userAgent } = await import('../../client/src/version.ts')
  assert.equal(userAgent, `outcry-client/${manifest.version}`)
})

test('npm would publish the package without a warning', async () => {
  // A registry that has no package: the test must not depend on the one of npm.
  const registry = createServer((_request, response) => response.writeHead(404).end('{}'))
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  try {
    const at = `//127.0.0.1:${portOf(registry)}/`
    const npmrc = join(folder, 'publish.npmrc')
    writeFileSync(npmrc, `registry=http:${at}\n${at}:_authToken=unused\n`)
    const { status, stdout, stderr } = await run(clientFolder, npmrc)
    assert.equal(status, 0, stderr)
    assert.match(stdout, /\+ outcry-client@/)
    assert.deepEqual(
      stderr.split('\n').filter((line) => /^npm (?!notice)/.test(line)),
      [],
    )
  } finally {
    registry.close()
  }
})

/** Not in one piece with spawnSync, which would block the registry of this process. */
function run(cwd: string, npmrc: string) {
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    // Without the settings of the npm that runs the tests: it passes each of its own down.
    const own = Object.entries(env).filter(([name]) => !name.toLowerCase().startsWith('npm_'))
    const settings = {
      ...Object.fromEntries(own),
      npm_config_userconfig: npmrc,
      npm_config_loglevel: 'notice',
    }
    execFile('npm', ['publish', '--dry-run'], { cwd, env: settings }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : 1, stdout, stderr })
    })
  })
}
