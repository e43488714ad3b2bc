// Command line: attacks the service, one attack at a time, and prints the figures.

import { exitWithUsageError, positiveNumber, readOptions } from '../../support/process/options.ts'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { attacks } from '../attacks/attacks.ts'
import { textOf } from '../attacks/support/assert-fair.ts'
import { runRound } from '../attacks/support/fair-round.ts'

const usage = `
Usage: npm run attacks [-- --only sweeps --orders 60000 --seconds 20 --postgres]
Runs each attack, or those given with --only, in a process of its own beside a victim that places
orders at a low rate. --orders is the size of the attacked book, --seconds how long each is
measured. Exits with 1 if the victim is refused or slowed down.
Attacks: ${attacks.map(({ name }) => name).join(', ')}.
`
const { values } = readOptions({
  usage,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    orders: { type: 'string', default: '60000' },
    seconds: { type: 'string', default: '20' },
    postgres: { type: 'boolean', default: false },
  },
})
const orders = positiveNumber('--orders', values.orders)
const ms = positiveNumber('--seconds', values.seconds) * 1_000
const unknown = values.only.find((name) => attacks.every((attack) => attack.name !== name))
if (unknown !== undefined) exitWithUsageError(`Unknown attack '${unknown}'`)
const chosen = attacks.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
const server = values.postgres ? await postgresOrNot('attacks on PostgreSQL', quick) : null
try {
  // Without the database that was asked for, figures of the other one would mislead.
  if (!values.postgres || server !== null) await attackAll()
} finally {
  await server?.stop()
}

async function attackAll(): Promise<void> {
  let unfair = 0
  for (const [at, attack] of chosen.entries()) {
    console.log(`${at + 1} of ${chosen.length}: preparing ${attack.name}`)
    const databaseUrl = (await server?.newDatabase())?.url ?? null
    const report = await runRound(attack, { aloneMs: ms, besideMs: ms, orders, databaseUrl })
    console.log(`${attack.name}: ${textOf(report)}`)
    for (const violation of report.violations) console.log(`  ${violation}`)
    if (report.violations.length > 0) unfair += 1
  }
  console.log(`${unfair} of ${chosen.length} attacks slowed down the victim or had it refused`)
  if (unfair > 0) process.exitCode = 1
}
