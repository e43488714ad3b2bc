// Command line: freezes the service and lets another one take over, many times.

import { positiveNumber, readOptions } from '../../support/process/options.ts'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { runTakeover } from './takeover.ts'

const usage = `
Usage: npm run takeovers [-- --times 50]
Freezes a service until another one has taken over its database, and wakes it, --times times. Checks
that the first one stores nothing and shows no old book. Needs PostgreSQL. Exits with 1 if a
violation was found.
`
const { values } = readOptions({ usage, options: { times: { type: 'string', default: '50' } } })
const times = positiveNumber('--times', values.times)
const server = await postgresOrNot('takeovers on PostgreSQL', quick)
if (server !== null) {
  try {
    for (let round = 1; round <= times; round += 1) {
      const found = await runTakeover({
        server,
        isBusy: round % 3 > 0,
        isAskedForBooks: round % 3 === 2,
      })
      process.stdout.write(`\r${round} of ${times} `)
      for (const violation of found) console.log(violation)
      if (found.length > 0) process.exitCode = 1
    }
    console.log()
  } finally {
    await server.stop()
  }
}
