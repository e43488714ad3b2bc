// Many takeovers by hand: npm run takeovers -- --times 50.

import { parseArgs } from 'node:util'
import { postgresOrNot, quick } from '../support/postgres-databases.ts'
import { runTakeover } from './takeover.ts'

const { values } = parseArgs({ options: { times: { type: 'string', default: '50' } } })
const times = Number(values.times)
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
