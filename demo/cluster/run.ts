// A cluster on this machine: PostgreSQL, three nodes and a small balancer; Ctrl-C ends all of it.
// Run it with: npm run cluster [-- --nodes N --shards N --port PORT --for SECONDS]

import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/store/postgres.ts'
import { Balancer } from './balancer.ts'
import { type NodeProcess, startNode } from './node-process.ts'
import { Watch } from './watch.ts'

const usage = `Usage: npm run cluster [-- OPTIONS]

  --nodes N       nodes to start, 1 to 9; default: 3
  --shards N      shards of a new database, 1 to 64; default: 8
  --port PORT     port of the balancer; default: 8084, or a free port if that is in use
  --for SECONDS   end after this time; default: on Ctrl-C

It uses the database of DATABASE_URL, or else a temporary PostgreSQL server.`

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

function introduction(balancer: Balancer, nodes: readonly NodeProcess[], adminKey: string): string {
  const [first] = nodes
  return [
    '',
    `The cluster listens on ${balancer.url}`,
    `  console      ${balancer.url}/console`,
    `  admin key    ${adminKey}`,
    '',
    ...nodes.map(({ name, pid, url }) => `  ${name}       ${url}   process ${pid}`),
    '',
    'Create an operator; the answer has its API key:',
    `  curl -X POST ${balancer.url}/api/v1/admin/operators \\`,
    `    -H 'X-Admin-Key: ${adminKey}' -H 'Content-Type: application/json' \\`,
    `    -d '{"name":"demo","supportedCurrencies":["USD"]}'`,
    '',
    'End a node, or freeze one, and watch the others take over its shards:',
    `  kill -9 ${first?.pid}      kill -STOP ${first?.pid}      kill -CONT ${first?.pid}`,
    '',
    'Ctrl-C ends all of it.',
    '',
  ].join('\n')
}

async function main(): Promise<void> {
  const options = optionsOrExit(process.argv.slice(2))
  const stops: (() => Promise<void> | void)[] = []
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    if (options.forSeconds > 0) setTimeout(resolve, options.forSeconds * 1_000)
  })
  try {
    const database = await openDatabase()
    stops.push(() => database.stop())
    const adminKey = process.env.ADMIN_API_KEY || randomBytes(16).toString('hex')
    const env = {
      DATABASE_URL: database.url,
      SHARDS: String(options.shards),
      OUTCRY_SECRETS_KEY: process.env.OUTCRY_SECRETS_KEY || randomBytes(32).toString('hex'),
      ADMIN_API_KEY: adminKey,
      DEMO_OPERATOR: 'false',
    }
    print(`Starting ${options.nodes} nodes ...`)
    const nodes: NodeProcess[] = []
    stops.push(async () => {
      for (const node of nodes) await node.stop()
    })
    for (let number = 1; number <= options.nodes; number += 1) {
      nodes.push(await startNode(`node ${number}`, env))
    }
    const running = () => nodes.filter((node) => !node.hasEnded)
    const balancer = await Balancer.open(options.port, running)
    stops.push(() => balancer.close())
    print(introduction(balancer, nodes, adminKey))
    const watch = new Watch({ nodes, adminKey, print })
    stops.push(() => watch.stop())
    await Promise.race([interrupted, Promise.all(nodes.map(({ ended }) => ended))])
    print('Stopping ...')
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

try {
  await main()
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
