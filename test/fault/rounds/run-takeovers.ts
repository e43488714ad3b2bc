// Many takeovers by hand.

import { readOptions, wholeNumber } from '../../support/process/options.ts'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { runTakeover } from './takeover.ts'

const usage = `
Usage: npm run takeovers [-- --times 50]
Freezes a service until another has its database, and wakes it, as often as --times says. Needs
PostgreSQL. Ends with 1 where something was found.
`
const { values } = readOptions({ usage, options: { times: { type: 'string', default: '50' } } })
const times = wholeNumber('--times', values.times)
const server = await postgresOrNot('takeovers on PostgreSQL', quick)
if (server !== null) {
  try {
    for (let round = 1; round <= times; round += 1) {
      const found = await runTakeover({ server, isBusy: round % 2 === 0 })
      process.stdout.write(`\r${round} of ${times} `)
      for (const violation of found) console.log(violation)
      if (found.length > 0) process.exitCode = 1
    }
    console.log()
  } finally {
    await server.stop()
  }
}
