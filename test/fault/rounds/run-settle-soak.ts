// Command line: lists and settles a million positions during trading.

import { positiveNumber, readOptions } from '../../support/process/options.ts'
import { settleSoak } from './settle-soak.ts'

const memoryGrowthMax = 300
const slowdownMax = 2

const usage = `
Usage: npm run settle-soak [-- --players 500000]
Lists and settles two positions per player while another market trades. Exits with 1 if a position
is not settled, if the p99 of orders is more than ${slowdownMax} times as long as without the
settlement, or if the memory grows by more than ${memoryGrowthMax} MiB.
`
const { values } = readOptions({
  usage,
  options: { players: { type: 'string', default: '500000' } },
})
const players = positiveNumber('--players', values.players)
const figures = await settleSoak({ players, aloneMs: 10_000 }, console.log)
console.log(figures)
const { alone, listing, settling, memoryGrowthMiB } = figures
const slowdown = Math.max(listing.p99, settling.p99) / alone.p99
console.log(`The p99 of orders is ${slowdown.toFixed(2)} times that without the settlement.`)
const isComplete = figures.settled === figures.positions
if (!isComplete || slowdown > slowdownMax || (memoryGrowthMiB ?? 0) > memoryGrowthMax) {
  process.exitCode = 1
}
