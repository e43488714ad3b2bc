// Command line: runs the groups of tests one after the other, or those that are named.

import { exitWithUsageError, readOptions } from '../support/process/options.ts'
import { passes, type Run } from './run-files.ts'

const timed = 'bad-receivers,frozen-database,overload,siege,slow-disk,stalled-readers'

const groups: Readonly<Record<string, Run>> = {
  together: {
    files: [
      '{src,client/src,console/src}/**/*.test.ts',
      'guide/**/*.test.ts',
      'test/!(fault|cluster)/**/*.test.ts',
    ],
    filesAtOnce: 3,
  },
  faults: {
    files: [
      `test/fault/scenarios/!(${timed.replaceAll(',', '|')}).test.ts`,
      'test/cluster/!(link*).test.ts',
    ],
    filesAtOnce: 2,
  },
  // They measure time, or use every core.
  alone: {
    files: [
      'test/fault/attacks/*.test.ts',
      `test/fault/scenarios/{${timed}}.test.ts`,
      'test/cluster/link*.test.ts',
    ],
    filesAtOnce: 1,
  },
}

const usage = `
Usage: node test/groups/run-groups.ts [GROUP]
Runs a group of tests, or all: ${Object.keys(groups).join(', ')}. A file that fails is run again by
itself, once. Exits with 1 if it fails then, too.
`
const { words } = readOptions({ usage, options: {}, wordsMax: 1 })
const names = words.length === 0 ? Object.keys(groups) : words
for (const name of names) {
  const group = groups[name] ?? exitWithUsageError(`There is no group '${name}'`)
  if (!(await passes(group))) process.exitCode = 1
}
