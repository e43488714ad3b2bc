// A cluster on this machine: PostgreSQL, three nodes and a small balancer; Ctrl-C ends all of it.
// Run it with: npm run cluster [-- --nodes N --shards N --port PORT --for SECONDS]

import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { OutcryClient } from '../../client/src/outcry.ts'
import { startPostgres } from '../../test/support/store/postgres.ts'
import { signalled } from '../signals.ts'
import { Balancer } from './balancer.ts'
import { type NodeProcess, startNode } from './node-process.ts'
import { Watch } from './watch.ts'

const usage = `Usage: npm run cluster [-- OPTIONS]

  --nodes N       nodes to start, 1 to 9; default: 3
  --shards N      shards of a new database, 1 to 64; default: 8
  --port PORT     port of the balancer; default: 8084, or a free port if that is in use
  --for SECONDS   end after this time; default: on Ctrl-C

It uses the database of DATABASE_URL, or else a temporary PostgreSQL server. With DATABASE_URL, set
OUTCRY_SECRETS_KEY and ADMIN_API_KEY as well, to use the database again later.`

type Options = {
  readonly nodes: number
  readonly shards: number
  readonly port: number
  readonly forSeconds: number
}

const print = (text: string) => process.stdout.write(`${text}\n`)

/** Exits for --help and for invalid options. */
function optionsOrExit(args: readonly string[]): Options {
  if (args.includes('--help')) {
    print(usage)
    process.exit(0)
  }
  try {
    return optionsOf(args)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}; see --help.\n`)
    process.exit(2)
  }
}

function optionsOf(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const options = { nodes: text, shards: text, port: text, for: text }
  const { values } = parseArgs({ args: [...args], options })
  return {
    nodes: wholeNumber('--nodes', values.nodes ?? '3', 1, 9),
    shards: wholeNumber('--shards', values.shards ?? '8', 1, 64),
    port: wholeNumber('--port', values.port ?? '8084', 0, 65_535),
    forSeconds: wholeNumber('--for', values.for ?? '0', 0, 86_400),
  }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new Error(`${name} must be a whole number from ${min} to ${max}, got "${text}"`)
}

/** The database of DATABASE_URL, or a temporary server. */
async function openDatabase(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL
  if (url) return { url, stop: async () => undefined }
  print('Starting PostgreSQL ...')
  return startPostgres()
}

type Keys = { readonly admin: string; readonly secrets: string }

function readKeys({ ADMIN_API_KEY, OUTCRY_SECRETS_KEY }: NodeJS.ProcessEnv): Keys {
  return {
    admin: ADMIN_API_KEY || randomBytes(16).toString('hex'),
    secrets: OUTCRY_SECRETS_KEY || randomBytes(32).toString('hex'),
  }
}

/** The key of the operator `demo`; null if the database has operators already. */
async function createDemoOperator(baseUrl: string, adminKey: string): Promise<string | null> {
  const { admin } = new OutcryClient({ baseUrl, adminKey })
  if ((await admin.operators()).length > 0) return null
  const demo = { name: 'demo', supportedCurrencies: ['USD'] }
  return (await admin.createOperator(demo)).apiKey
}

type Introduced = {
  readonly url: string
  readonly nodes: readonly NodeProcess[]
  readonly keys: Keys
  readonly demoKey: string | null
}

function introduction({ url, nodes, keys, demoKey }: Introduced): string {
  const [first] = nodes
  return [
    '',
    `The cluster listens on ${url}`,
    `  console      ${url}/console`,
    `  reference    ${url}/docs`,
    `  admin key    ${keys.admin}`,
    ...nodes.map(({ name, pid, url: own }) => `  ${name}       ${own}   process ${pid}`),
    '',
    ...(demoKey === null ? [] : firstTrade(url, demoKey)),
    ...(isKept(process.env) ? keptKeys(keys) : []),
    'End a node, or freeze one, and watch the others take over its shards:',
    `  kill -9 ${first?.pid}      kill -STOP ${first?.pid}      kill -CONT ${first?.pid}`,
    '',
    'Ctrl-C ends all of it.',
    '',
  ].join('\n')
}

function firstTrade(url: string, key: string): readonly string[] {
  return [
    'The operator "demo" was created. For the first trade of README.md, in another terminal:',
    `  export URL=${url} KEY=${key}`,
    '',
  ]
}

/** Whether the records stay, and the keys of this run are known to nobody else. */
function isKept({ DATABASE_URL, OUTCRY_SECRETS_KEY }: NodeJS.ProcessEnv): boolean {
  return Boolean(DATABASE_URL) && !OUTCRY_SECRETS_KEY
}

function keptKeys({ admin, secrets }: Keys): readonly string[] {
  return [
    'The records stay in the database. To use it again:',
    `  export OUTCRY_SECRETS_KEY=${secrets} ADMIN_API_KEY=${admin}`,
    '',
  ]
}

async function main(): Promise<void> {
  const options = optionsOrExit(process.argv.slice(2))
  const stops: (() => Promise<void> | void)[] = []
  let isOver = false
  const over = Promise.race([signalled(), passed(options.forSeconds)]).then(() => {
    isOver = true
  })
  try {
    const database = await openDatabase()
    stops.push(() => database.stop())
    const keys = readKeys(process.env)
    const env = {
      DATABASE_URL: database.url,
      SHARDS: String(options.shards),
      OUTCRY_SECRETS_KEY: keys.secrets,
      ADMIN_API_KEY: keys.admin,
      DEMO_OPERATOR: 'false',
    }
    print(`Starting ${options.nodes} nodes ...`)
    const nodes: NodeProcess[] = []
    stops.push(async () => {
      for (const node of nodes) await node.stop()
    })
    for (let number = 1; number <= options.nodes && !isOver; number += 1) {
      nodes.push(await startNode(`node ${number}`, env))
    }
    if (!isOver) await run({ options, nodes, keys, stops, over })
    print('Stopping ...')
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

type Started = {
  readonly options: Options
  readonly nodes: readonly NodeProcess[]
  readonly keys: Keys
  readonly stops: (() => Promise<void> | void)[]
  readonly over: Promise<void>
}

async function run({ options, nodes, keys, stops, over }: Started): Promise<void> {
  const balancer = await Balancer.open(options.port, () => nodes.filter((node) => !node.hasEnded))
  stops.push(() => balancer.close())
  const { url } = balancer
  const demoKey = await createDemoOperator(url, keys.admin)
  print(introduction({ url, nodes, keys, demoKey }))
  const watch = new Watch({ nodes, adminKey: keys.admin, print })
  stops.push(() => watch.stop())
  await Promise.race([over, Promise.all(nodes.map(({ ended }) => ended))])
}

/** Never resolves if no time is given. */
function passed(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (seconds > 0) setTimeout(resolve, seconds * 1_000)
  })
}

try {
  await main()
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
