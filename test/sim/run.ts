// Command line of the simulator: replays one seed, or runs a range of seeds with a progress bar.

import { positiveNumber, readOptions, wholeNumber } from '../support/process/options.ts'
import { Difference, simulate } from './simulate.ts'

const usage = `
Usage: npm run sim -- 8191                     one seed
       npm run sim -- --from 1 --seeds 2000    many
Runs random commands on the exchange and on a simple model of it, and compares the two. --steps sets
the number of commands per seed (default 2000). Exits with 1 if they differ.
`
const { values, words } = readOptions({
  usage,
  wordsMax: 1,
  options: {
    steps: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
  },
})
const first = wholeNumber('seed', words[0] ?? values.from)
const count = words.length > 0 ? 1 : positiveNumber('--seeds', values.seeds)
const steps = positiveNumber('--steps', values.steps)

const failed: number[] = []
let events = 0
for (let seed = first; seed < first + count; seed += 1) {
  try {
    const outcome = simulate({ seed, steps })
    events += outcome.events
    if (count === 1) console.log(`Seed ${seed}: state hash ${outcome.hash}`)
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    failed.push(seed)
    console.error(`\n${error.message}\n`)
  }
  showProgress(seed - first + 1)
}
console.log(`${count} seeds of ${steps} steps, ${events} events compared: ${failed.length} failed`)
if (failed.length > 0) console.log(`Failed seeds: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

function showProgress(done: number): void {
  if (count === 1 || !process.stderr.isTTY) return
  const width = 40
  const filled = Math.round((done / count) * width)
  process.stderr.write(`\r[${'#'.repeat(filled).padEnd(width)}] ${done} of ${count}`)
  if (done === count) process.stderr.write('\n')
}
