// Many kills by hand: npm run kills -- --times 300 [--seed N].

import { parseArgs } from 'node:util'
import { runKills } from './kill-rounds.ts'

const { values } = parseArgs({
  options: { times: { type: 'string', default: '300' }, seed: { type: 'string' } },
})
const times = Number(values.times)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
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
