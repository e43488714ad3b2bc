// Command line: kills the service many times under load.

import { readOptions, wholeNumber } from '../../support/process/options.ts'
import { runKills } from './kill-rounds.ts'

const usage = `
Usage: npm run kills [-- --times 300 --seed N]
Kills the service --times times under load, and checks that nothing is lost or repeated. --seed
repeats a run; the seed is printed at the start. Exits with 1 if a violation was found.
`
const { values } = readOptions({
  usage,
  options: { times: { type: 'string', default: '300' }, seed: { type: 'string' } },
})
const times = wholeNumber('--times', values.times)
const seed = wholeNumber('--seed', values.seed ?? `${Date.now() % 1_000_000}`)
console.log(`${times} kills with seed ${seed}`)

const { figures, violations } = await runKills({
  times,
  seed,
  onKill: (kill, { done, unknown }) =>
    process.stdout.write(`\r${kill} kills, ${done} done, ${unknown} unknown `),
})
console.log(`\n${JSON.stringify(figures)}`)
for (const violation of violations) console.log(violation)
if (violations.length > 0) {
  console.log(`npm run kills -- --times ${times} --seed ${seed}`)
  process.exitCode = 1
}
