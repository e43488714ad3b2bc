// Clients that read nothing beside clients that read well: `npm run stalled -- --clients 1000`.

import { parseArgs } from 'node:util'
import { runStalled } from '../support/stalled-run.ts'

const { values } = parseArgs({ options: { clients: { type: 'string', default: '1000' } } })
console.log(await runStalled(Number(values.clients), console.error))
