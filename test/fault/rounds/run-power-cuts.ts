// Command line: many power cuts.

import { positiveNumber, readOptions, wholeNumber } from '../../support/process/options.ts'
import { straceOrExit } from '../support/fault-injection.ts'
import { runPowerCuts } from './power-cuts.ts'

const usage = `
Usage: npm run power-cuts [-- --points 200 --answers 2000 --seed N]
Records what a service under load writes and syncs, and starts a service on --points folders as a
power cut may leave them. Checks that every acknowledged request is stored, once, and audits the
records. --seed repeats the choice of the cuts; the seed is printed at the start. Needs strace.
Exits with 1 if a violation was found.
`
const { values } = readOptions({
  usage,
  options: {
    points: { type: 'string', default: '200' },
    answers: { type: 'string', default: '2000' },
    seed: { type: 'string' },
  },
})
const points = positiveNumber('--points', values.points)
const answers = positiveNumber('--answers', values.answers)
const seed = wholeNumber('--seed', values.seed ?? `${Date.now() % 1_000_000}`)
straceOrExit()
console.log(`${points} power cuts with seed ${seed}`)
const { violations, ...figures } = await runPowerCuts({
  points,
  answers,
  seed,
  onCut: (number, fates) =>
    process.stdout.write(`\n${number} of ${points} cuts, unsynced writes: ${fates}`),
})
console.log(`\n${JSON.stringify(figures)}`)
for (const violation of violations) console.log(violation)
console.log(`${violations.length} violations`)
if (violations.length > 0) process.exitCode = 1
