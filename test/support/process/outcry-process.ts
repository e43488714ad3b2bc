// The service in its own process, on a free port, with a data folder that a test can keep over
// several starts. Requests are sent over HTTP.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { until } from '../http/answers.ts'
import { namedDatabase } from '../store/postgres-databases.ts'

const mainFile = new URL('../../../src/main.ts', import.meta.url).pathname
const startMax = 90_000
export const adminKey = 'the-admin-key-of-the-tests'

export type ServiceOptions = {
  /** By default a new folder, which is deleted with the service. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  /** Runs the process under this command, such as a tracer. */
  readonly under?: readonly string[]
  /** The file to run instead of src/main.ts. */
  readonly program?: string
  /** The program waits for a line on stdin before it opens anything. */
  readonly waits?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
export type Json = any

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

export type RequestOptions = {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Prepared = {
  readonly begin: () => Promise<Service>
  readonly discard: () => void
}

export class Service {
  readonly url: string
  readonly dataDir: string
  readonly process: ChildProcess
  /** The output so far. */
  readonly printed: () => string
  /** The process that owns the shards, if this one is a front end. */
  readonly #owner: ChildProcess | null
  readonly #ownsFolder: boolean

  private constructor(started: {
    url: string
    dataDir: string
    process: ChildProcess
    printed: () => string
    owner: ChildProcess | null
    ownsFolder: boolean
  }) {
    this.url = started.url
    this.dataDir = started.dataDir
    this.process = started.process
    this.printed = started.printed
    this.#owner = started.owner
    this.#ownsFolder = started.ownsFolder
  }

  static async start(options: ServiceOptions = {}): Promise<Service> {
    return (await Service.prepare(options)).begin()
  }

  /** Starts the process at once; with `waits` it opens the data folder only after `begin`. */
  static async prepare(options: ServiceOptions): Promise<Prepared> {
    const dataDir = options.dataDir ?? (await newFolder())
    const owner = await ownerFor(dataDir, options)
    const more = { ...(await databaseFor(dataDir)), ...(owner === null ? {} : frontSettings) }
    const { child, printed: printedHere } = launch(dataDir, options, more)
    if (owner !== null) child.once('exit', () => owner.child.kill('SIGTERM'))
    const ownsFolder = options.dataDir === undefined
    const printed = () => printedHere() + (owner?.printed() ?? '')
    const about = { dataDir, process: child, printed, owner: owner?.child ?? null, ownsFolder }
    return {
      begin: async () => {
        child.stdin?.end('begin\n')
        const url = await untilListening(child, printedHere)
        if (owner !== null) await untilReady(url)
        return new Service({ ...about, url })
      },
      discard: () => child.kill('SIGKILL'),
    }
  }

  async request(
    method: string,
    path: string,
    { key, body, headers }: RequestOptions = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(key == null ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parsed(text) }
  }

  /** A request of the administrator. */
  admin(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { 'x-admin-key': adminKey }
    return this.request(method, path, body === undefined ? { headers } : { headers, body })
  }

  /**
   * Creates an operator with a key that has all scopes. A node that was without a processor for
   * long answers 503 until it has reached the others again; nothing was done then.
   */
  async newOperator(
    name = 'operator',
    more: object = {},
  ): Promise<{ readonly id: string; readonly key: string }> {
    const create = () => this.admin('POST', '/api/v1/admin/operators', { name, ...more })
    const { status, body } = await until(create, (answer) => answer.status !== 503, 10_000)
    assert.equal(status, 201, JSON.stringify(body))
    return { id: body.data.operator.id, key: body.data.apiKey }
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null
  }

  /** Sends SIGTERM and waits; returns the exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  /** Sends SIGKILL and waits. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    await endProcess(this.process, signal)
    if (this.#owner !== null) await endProcess(this.#owner, signal)
    if (this.#ownsFolder) await rm(this.dataDir, { recursive: true, force: true })
    return this.process.exitCode
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** What answers requests: a service, or one of several nodes each time. */
export type Requestable = Pick<Service, 'request' | 'hasEnded'>

/** Starts a service that is expected to fail; returns its exit code and output. */
export async function failedStart(
  options: ServiceOptions = {},
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const dataDir = options.dataDir ?? (await newFolder())
  const { child, printed } = launch(dataDir, options, await databaseFor(dataDir))
  // One that starts is ended, so that the test fails at once.
  child.stdout?.on('data', () => /listens on/.test(printed()) && child.kill('SIGKILL'))
  await once(child, 'exit')
  return { code: child.exitCode, printed: printed() }
}

export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'outcry-'))
}

type Settings = Readonly<Record<string, string>>

/** If the tests run against a front end, another process owns the shards. */
const clusterSettings = {
  CLUSTER: 'true',
  CLUSTER_PORT: '0',
  SHARDS: '1',
  OUTCRY_SECRETS_KEY: '0123456789abcdef'.repeat(4),
}
const frontSettings = { ...clusterSettings, NODE_SHARDS_MAX: '0' }

async function ownerFor(dataDir: string, options: ServiceOptions) {
  if (process.env.TEST_FRONT === undefined) return null
  const more = { ...(await databaseFor(dataDir)), ...clusterSettings }
  const launched = launch(join(dataDir, 'owner'), options, more)
  await untilListening(launched.child, launched.printed)
  return launched
}

/** If the tests run on a PostgreSQL server, each data folder has its own database there. */
async function databaseFor(dataDir: string): Promise<Settings> {
  const server = process.env.TEST_POSTGRES
  if (server === undefined) return {}
  return { DATABASE_URL: await namedDatabase(server, basename(dataDir)) }
}

/** If the tests run against front-end processes, each service has some. */
const frontEnds: Settings =
  process.env.TEST_FRONT_ENDS === undefined ? {} : { FRONT_ENDS: process.env.TEST_FRONT_ENDS }

function launch(dataDir: string, options: ServiceOptions, more: Settings = {}) {
  const { env = {}, under = [], program = mainFile, waits = false } = options
  const [command = '', ...args] = [...under, process.execPath, program]
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      GRPC_PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ADMIN_API_KEY: adminKey,
      DEMO_OPERATOR: 'false',
      LOG_LEVEL: 'warn',
      ...frontEnds,
      ...more,
      ...env,
    },
    stdio: [waits ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return { child, printed: () => text }
}

/** Waits for the line with the URL of the service. */
export async function untilListening(child: ChildProcess, printed: () => string): Promise<string> {
  const deadline = Date.now() + startMax
  for (;;) {
    const url = /listens on (http:\/\/\S+)/.exec(printed())?.[1]
    if (url !== undefined) return url
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The service ended while starting:\n${printed()}`)
    }
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`The service did not start in time:\n${printed()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A front end is ready when it reaches the owner of the shard. */
async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + startMax
  while ((await fetch(`${url}/ready`)).status !== 200) {
    if (Date.now() > deadline) throw new Error('The front end does not reach the owner.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
