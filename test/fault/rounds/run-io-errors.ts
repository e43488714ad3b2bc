// Command line: makes every write and sync of a short run fail, once and permanently.

import { positiveNumber, readOptions, wholeNumber } from '../../support/process/options.ts'
import { storeFiles, straceOrExit } from '../support/fault-injection.ts'
import { type IoError, runIoErrors } from './io-error-rounds.ts'

const usage = `
Usage: npm run io-errors [-- --upto 50 --seed 1]
Makes each write and sync up to number --upto of each file of the store fail, once and permanently,
and checks that no failed write is answered as a success. Needs strace. Exits with 1 if a violation
was found.
`
const { values } = readOptions({
  usage,
  options: { upto: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
})
const upto = positiveNumber('--upto', values.upto)
const seed = wholeNumber('--seed', values.seed)
straceOrExit()
const errors: IoError[] = []
for (let n = 1; n <= upto; n += 1) {
  for (const when of [`${n}`, `${n}+`]) {
    for (const file of storeFiles) {
      // A commit writes several times and syncs once.
      if (n <= upto / 5) errors.push({ file, calls: 'fsync,fdatasync', when })
      errors.push({ file, calls: 'pwrite64', when })
    }
  }
}
let count = 0
const report = await runIoErrors(errors, {
  seed,
  onError: ({ file, calls, when }, end) => {
    count += 1
    const error = `${file} ${calls} ${when} ${end}`
    process.stdout.write(`\r${count} of ${errors.length}: ${error}          `)
  },
})
console.log(`\n${JSON.stringify(report, null, 2)}`)
if (report.violations.length > 0) process.exitCode = 1
