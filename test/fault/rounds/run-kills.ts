// Command line: kills the service many times under load.

import { positiveNumber, readOptions, wholeNumber } from '../../support/process/options.ts'
import { runKills } from './kill-rounds.ts'

/** With fewer, the kills had little to lose. */
const donePerKillMin = 10

const usage = `
Usage: npm run kills [-- --times 300 --clients 300 --seed N]
Kills the service --times times under the load of --clients clients, and checks that nothing is
lost or repeated, also for consumers of events over REST and WebSocket. --seed repeats a run; the
seed is printed at the start. Exits with 1 if a violation was found, or if few requests were done.
`
const { values } = readOptions({
  usage,
  options: {
    times: { type: 'string', default: '300' },
    clients: { type: 'string', default: '300' },
    seed: { type: 'string' },
  },
})
const times = positiveNumber('--times', values.times)
const clients = positiveNumber('--clients', values.clients)
const seed = wholeNumber('--seed', values.seed ?? `${Date.now() % 1_000_000}`)
console.log(`${times} kills of ${clients} clients with seed ${seed}`)

const { figures, violations, largestTurn } = await runKills({
  times,
  seed,
  clients,
  onKill: (kill, { done, unknown }) =>
    process.stdout.write(`\r${kill} kills, ${done} done, ${unknown} unknown `),
})
console.log(`\n${JSON.stringify(figures)}; the largest turn has ${largestTurn} commands`)
for (const violation of violations) console.log(violation)
const isFew = figures.done < times * donePerKillMin
if (isFew) console.log(`only ${figures.done} requests were done`)
if (violations.length > 0 || isFew) {
  console.log(`npm run kills -- --times ${times} --clients ${clients} --seed ${seed}`)
  process.exitCode = 1
}
