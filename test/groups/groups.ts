// The groups in which the tests are run, and how many files of each at a time.

import type { Run } from './run-files.ts'

const timed = 'bad-receivers,frozen-database,overload,siege,slow-disk,stalled-readers'

export const groups: Readonly<Record<string, Run>> = {
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
      'test/fault/support/**/*.test.ts',
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
