// A demo exchange with operators, markets and simulated trading; its data is deleted at the end.
// Run it with: npm run demo [-- --for SECONDS --port PORT --keep]

import { parseArgs } from 'node:util'
import { launch } from './launch.ts'
import { setUp } from './setup.ts'
import { signalled } from './signals.ts'
import { Trading } from './trading.ts'

const usage = `Usage: npm run demo [-- OPTIONS]

  --for SECONDS   end after this time; default: on Ctrl-C
  --port PORT     port of the service; default: 8084, or a free port if that is in use
  --keep          keep the data folder`
const reportMs = 10_000

type Options = {
  readonly forSeconds: number | null
  readonly port: number | null
  readonly keepsData: boolean
}

/** Exits for --help and for invalid options. */
function optionsOrExit(args: readonly string[]): Options {
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return optionsOf(args)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}; see --help.\n`)
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
    keepsData: values.keep,
  }
}

function wholeNumber(name: string, text: string | undefined, max: number): number | null {
  if (text === undefined) return null
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= max) return value
  throw new Error(`${name} must be a whole number from 0 to ${max}, got "${text}"`)
}

/** Never resolves if no time is given. */
function passed(seconds: number | null): Promise<void> {
  return new Promise((resolve) => {
    if (seconds !== null) setTimeout(resolve, seconds * 1_000)
  })
}

async function main({ forSeconds, port, keepsData }: Options): Promise<void> {
  const stopped = signalled()
  const service = await launch({ port, keepsData })
  let summary = ''
  try {
    const demo = await setUp(service.url, service.adminKey)
    const trading = new Trading(service.url, demo)
    await trading.start()
    const [operator] = demo.operators
    process.stdout.write(
      [
        'The demo is running. Its players and prices are simulated.',
        `  console       ${service.url}/console`,
        `  API reference ${service.url}/docs`,
        `  operator key  ${operator?.apiKey} (${operator?.name})`,
        `  admin key     ${service.adminKey}`,
        `  data folder   ${service.dataDir}${keepsData ? '' : ', deleted at the end'}`,
        'Press Ctrl-C to stop.\n',
      ].join('\n'),
    )
    const report = () => `${trading.orders} orders, ${trading.trades} trades\n`
    const timer = setInterval(() => process.stdout.write(report()), reportMs)
    await Promise.race([stopped, passed(forSeconds), service.ended])
    clearInterval(timer)
    await trading.stop()
    summary = `Ended after ${report()}`
  } finally {
    await service.stop()
  }
  process.stdout.write(summary)
}

try {
  await main(optionsOrExit(process.argv.slice(2)))
  process.exit(0)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
}
