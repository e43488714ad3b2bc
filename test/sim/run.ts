// The simulator by hand: one seed to replay it, or a range of seeds with a bar of progress.
//   npm run sim -- 8191                     one seed
//   npm run sim -- --from 1 --seeds 2000    many

import { parseArgs } from 'node:util'
import { Difference, simulate } from './simulate.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
  },
})
const first = wholeNumber(positionals[0] ?? values.from, 'the seed')
const count = positionals.length > 0 ? 1 : wholeNumber(values.seeds, '--seeds')
const steps = wholeNumber(values.steps, '--steps')

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

function wholeNumber(text: string, name: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 0) return number
  console.error(`${name} must be a whole number, not "${text}".`)
  process.exit(2)
}
