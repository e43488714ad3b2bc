// Every call of a short run fails once, and then for good: npm run io-errors [-- --upto N].

import { parseArgs } from 'node:util'
import { type IoError, runIoErrors } from './io-error-rounds.ts'

const { values } = parseArgs({
  options: { upto: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})
const errors: IoError[] = []
for (let n = 1; n <= Number(values.upto); n += 1) {
  for (const when of [`${n}`, `${n}+`]) {
    // A commit writes many times and syncs once.
    if (n <= Number(values.upto) / 5) errors.push({ calls: 'fsync,fdatasync', when })
    errors.push({ calls: 'pwrite64', when })
  }
}
let count = 0
const report = await runIoErrors(errors, {
  seed: Number(values.seed),
  onError: ({ calls, when }, end) => {
    count += 1
    process.stdout.write(`\r${count} of ${errors.length}: ${calls} ${when} ${end}          `)
  },
})
console.log(`\n${JSON.stringify(report, null, 2)}`)
if (report.violations.length > 0) process.exitCode = 1
