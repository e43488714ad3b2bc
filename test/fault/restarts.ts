// Many restarts of PostgreSQL by hand: npm run restarts -- --times 50 [--seed N].

import { parseArgs } from 'node:util'
import { postgresOrNot } from '../support/postgres-databases.ts'
import { runRestarts } from './restart-rounds.ts'

const { values } = parseArgs({
  options: { times: { type: 'string', default: '50' }, seed: { type: 'string' } },
})
const times = Number(values.times)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const server = await postgresOrNot('restarts of PostgreSQL')
if (server !== null) {
  console.log(`${times} restarts with seed ${seed}`)
  try {
    const { figures, violations } = await runRestarts({
      server,
      times,
      seed,
      onRound: (round, way) => process.stdout.write(`\r${round} of ${times}: ${way}          `),
    })
    console.log(`\n${JSON.stringify(figures)}`)
    for (const violation of violations) console.log(violation)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
}
