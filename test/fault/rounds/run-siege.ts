// Command line: all attacks, kills and restarts at once.

import { positiveNumber, readOptions, wholeNumber } from '../../support/process/options.ts'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { attacks } from '../attacks/attacks.ts'
import { runSiege } from './siege.ts'

const usage = `
Usage: npm run siege [-- --minutes 10 --orders 20000 --seed N --postgres]
Runs all attacks together, and kills and restarts the service meanwhile. Honest clients check that
nothing is lost or repeated, and that they are never refused or starved because of others; the audit
checks the records at the end. --seed repeats the choices of the run; the seed is printed at the
start. Exits with 1 if a violation was found, or if few honest requests were done.
`
const { values } = readOptions({
  usage,
  options: {
    minutes: { type: 'string', default: '10' },
    orders: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    postgres: { type: 'boolean', default: false },
  },
})
const minutes = positiveNumber('--minutes', values.minutes)
const orders = positiveNumber('--orders', values.orders)
const seed = wholeNumber('--seed', values.seed ?? `${Date.now() % 1_000_000}`)
const server = values.postgres ? await postgresOrNot('a siege on PostgreSQL', quick) : null
try {
  if (!values.postgres || server !== null) {
    console.log(`A siege of ${minutes} min with seed ${seed}; preparing the attacks`)
    const report = await runSiege({
      attacks: attacks.filter(({ isAlone }) => isAlone !== true),
      ms: minutes * 60_000,
      seed,
      phaseMs: [10_000, 30_000],
      orders,
      databaseUrl: (await server?.newDatabase())?.url ?? null,
      onPhase: console.log,
    })
    for (const [name, tally] of Object.entries(report.tallies)) {
      console.log(`attack ${name}: ${JSON.stringify(tally)}`)
    }
    const { violations, done, kills, restarts, p99, worst, waitedMs } = report
    console.log(`${kills} kills and ${restarts} restarts; ${done} honest requests were done`)
    console.log(`honest requests: p99 ${p99.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`)
    console.log(`the service had no processor for ${(waitedMs / 1_000).toFixed(0)} s in all`)
    for (const violation of violations) console.log(violation)
    console.log(`${violations.length} violations`)
    if (violations.length > 0) process.exitCode = 1
  }
} finally {
  await server?.stop()
}
