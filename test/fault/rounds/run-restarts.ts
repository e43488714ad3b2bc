// Command line: restarts PostgreSQL many times under load.

import { positiveNumber, readOptions, wholeNumber } from '../../support/process/options.ts'
import { postgresOrNot } from '../../support/store/postgres-databases.ts'
import { runRestarts } from './restart-rounds.ts'

const usage = `
Usage: npm run restarts [-- --times 50 --clients 300 --seed N]
Restarts, crashes and disconnects a PostgreSQL server --times times under the load of --clients
clients, and checks that nothing is lost or repeated. The server is started for this run. --seed
repeats a run; the seed is printed at the start. Exits with 1 if a violation was found.
`
const { values } = readOptions({
  usage,
  options: {
    times: { type: 'string', default: '50' },
    clients: { type: 'string', default: '300' },
    seed: { type: 'string' },
  },
})
const times = positiveNumber('--times', values.times)
const clients = positiveNumber('--clients', values.clients)
const seed = wholeNumber('--seed', values.seed ?? `${Date.now() % 1_000_000}`)
const server = await postgresOrNot('restarts of PostgreSQL')
if (server !== null) {
  console.log(`${times} restarts with seed ${seed}`)
  try {
    const { figures, violations } = await runRestarts({
      server,
      times,
      seed,
      clients,
      onRound: (round, way) => process.stdout.write(`\r${round} of ${times}: ${way}          `),
    })
    console.log(`\n${JSON.stringify(figures)}`)
    for (const violation of violations) console.log(violation)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
}
