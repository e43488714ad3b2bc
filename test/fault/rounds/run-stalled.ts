// Clients that read nothing beside clients that read well, by hand.

import { readOptions, wholeNumber } from '../../support/process/options.ts'
import { runStalled } from '../../support/stream/stalled-run.ts'

const usage = `
Usage: npm run stalled [-- --clients 1000]
So many clients of the stream read nothing, beside clients that read well; prints what the second
ones noticed and what it cost.
`
const { values } = readOptions({ usage, options: { clients: { type: 'string', default: '1000' } } })
console.log(await runStalled(wholeNumber('--clients', values.clients), console.error))
