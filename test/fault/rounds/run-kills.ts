// Many kills by hand.

import { readOptions, wholeNumber } from '../../support/process/options.ts'
import { runKills } from './kill-rounds.ts'

const usage = `
Usage: npm run kills [-- --times 300 --seed N]
Kills the service under load, as often as --times says, and looks for what is lost or done twice.
--seed repeats a run; it is printed at its start. Ends with 1 where something was found.
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
    process.stdout.write(`\r${kill} kills, ${done} done, ${unknown} without an answer `),
})
console.log(`\n${JSON.stringify(figures)}`)
for (const violation of violations) console.log(violation)
if (violations.length > 0) {
  console.log(`npm run kills -- --times ${times} --seed ${seed}`)
  process.exitCode = 1
}
