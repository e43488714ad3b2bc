// A whole exchange to look at: operators, markets and trading, on records that go when it ends.
// Run it with: npm run demo [-- --for SECONDS --port PORT --keep]

import { parseArgs } from 'node:util'
import { launch } from './launch.ts'
import { setUp } from './setup.ts'
import { Trading } from './trading.ts'

const usage = 'Usage: npm run demo [-- --for SECONDS --port PORT --keep]'
const reportMs = 10_000

type Options = {
  readonly forSeconds: number | null
  readonly port: number | null
  readonly keeps: boolean
}

/** Ends where the call is wrong, or asks how to call. */
function optionsOrEnd(args: readonly string[]): Options {
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return optionsOf(args)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${usage}\n`)
    process.exit(2)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      for: { type: 'string' },
      port: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  })
  return {
    forSeconds: wholeNumber('--for', values.for, 86_400),
    port: wholeNumber('--port', values.port, 65_535),
    keeps: values.keep,
  }
}

function wholeNumber(name: string, text: string | undefined, max: number): number | null {
  if (text === undefined) return null
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= max) return value
  throw new Error(`${name} takes a whole number from 0 to ${max}, not "${text}".`)
}

/** Ctrl-C, a request to end, or a terminal that is gone. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve())
  })
}

/** Of trading; for ever where no time was given. */
function passed(seconds: number | null): Promise<void> {
  return new Promise((resolve) => {
    if (seconds !== null) setTimeout(resolve, seconds * 1_000)
  })
}

async function main({ forSeconds, port, keeps }: Options): Promise<void> {
  const stopped = signalled()
  const service = await launch({ port, keeps })
  const said: string[] = []
  try {
    const scene = await setUp(service.url, service.adminKey)
    const trading = new Trading(service.url, scene)
    await trading.start()
    const [house] = scene.houses
    process.stdout.write(
      [
        'The demonstration runs. Its players and prices are made up.',
        `  console       ${service.url}/console`,
        `  reference     ${service.url}/docs`,
        `  operator key  ${house?.apiKey} (${house?.name})`,
        `  admin key     ${service.adminKey}`,
        `  records       ${service.dataDir}${keeps ? '' : ', deleted at the end'}`,
        'Ctrl-C ends it.\n',
      ].join('\n'),
    )
    const report = () => `${trading.orders} orders, ${trading.trades} trades\n`
    const timer = setInterval(() => process.stdout.write(report()), reportMs)
    await Promise.race([stopped, passed(forSeconds), service.ended])
    clearInterval(timer)
    await trading.stop()
    said.push(`Ended after ${report()}`)
  } finally {
    await service.stop()
  }
  process.stdout.write(said.join(''))
}

try {
  await main(optionsOrEnd(process.argv.slice(2)))
  process.exit(0)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
}
