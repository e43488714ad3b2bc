// A million positions listed and settled beside trading: npm run settle-soak -- --players 500000.

import { parseArgs } from 'node:util'
import { settleSoak } from './settle-soak.ts'

const memoryGrowthMax = 300
const slowdownMax = 2

const { values } = parseArgs({ options: { players: { type: 'string', default: '500000' } } })
const figures = await settleSoak({ players: Number(values.players), aloneMs: 10_000 }, console.log)
console.log(figures)
const { alone, listing, settling, memoryGrowthMiB } = figures
const slowdown = Math.max(listing.p99, settling.p99) / alone.p99
console.log(`p99 of orders is ${slowdown.toFixed(2)} times that of trading alone.`)
const isWhole = figures.settled === figures.positions
if (!isWhole || slowdown > slowdownMax || (memoryGrowthMiB ?? 0) > memoryGrowthMax) {
  process.exitCode = 1
}
