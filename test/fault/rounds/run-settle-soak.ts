// A million positions listed and settled beside trading, by hand.

import { readOptions, wholeNumber } from '../../support/process/options.ts'
import { settleSoak } from './settle-soak.ts'

const memoryGrowthMax = 300
const slowdownMax = 2

const usage = `
Usage: npm run settle-soak [-- --players 500000]
Lists and settles two positions of each player beside trading. Ends with 1 where one was not
settled, orders took ${slowdownMax} times as long or memory grew by ${memoryGrowthMax} MiB.
`
const { values } = readOptions({
  usage,
  options: { players: { type: 'string', default: '500000' } },
})
const players = wholeNumber('--players', values.players)
const figures = await settleSoak({ players, aloneMs: 10_000 }, console.log)
console.log(figures)
const { alone, listing, settling, memoryGrowthMiB } = figures
const slowdown = Math.max(listing.p99, settling.p99) / alone.p99
console.log(`p99 of orders is ${slowdown.toFixed(2)} times that of trading alone.`)
const isWhole = figures.settled === figures.positions
if (!isWhole || slowdown > slowdownMax || (memoryGrowthMiB ?? 0) > memoryGrowthMax) {
  process.exitCode = 1
}
