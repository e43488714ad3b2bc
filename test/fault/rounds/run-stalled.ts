// Command line: stream clients that stop reading, beside clients that read.

import { positiveNumber, readOptions } from '../../support/process/options.ts'
import { runStalled } from '../../support/stream/stalled-run.ts'

const usage = `
Usage: npm run stalled [-- --clients 1000]
Opens --clients stream connections that never read, beside clients that do, and prints the latency
of the latter and the memory of the service.
`
const { values } = readOptions({ usage, options: { clients: { type: 'string', default: '1000' } } })
console.log(await runStalled(positiveNumber('--clients', values.clients), console.error))
