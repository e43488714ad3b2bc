// Command line: runs the groups of tests one after the other, or those that are named.

import { exitWithUsageError, readOptions } from '../support/process/options.ts'
import { groups } from './groups.ts'
import { passes } from './run-files.ts'

const usage = `
Usage: npm run test:groups [-- GROUP]
Runs a group of tests, or all: ${Object.keys(groups).join(', ')}. A file that fails is run again by
itself, once. Exits with 1 if it fails then, too.
`
const { words } = readOptions({ usage, options: {}, wordsMax: 1 })
const names = words.length === 0 ? Object.keys(groups) : words
for (const name of names) {
  const group = groups[name] ?? exitWithUsageError(`There is no group '${name}'`)
  if (!(await passes(group))) process.exitCode = 1
}
