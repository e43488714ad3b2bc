// A turn is answered when it is in its file, before the tables have it: the checks detect a service
// that loses it on the way. Kills leave turns that only the next start derives.

import { test } from 'node:test'
import { runKills } from '../rounds/kill-rounds.ts'
import { assertDetected } from '../support/assert-detected.ts'
import type { ThreadDefect } from '../support/planted-defects.ts'

const lost = /is stored 0 times, expected 1 to 1/
/** The next start refuses the tables, or a derivation the turns. */
const missing = /the commands (?:\d+|up) to \d+ are missing/

const expected: Readonly<Record<ThreadDefect, RegExp>> = {
  'moves the head without the rows': new RegExp(`${lost.source}|have rows that do not fit`),
  'deletes turns that the tables do not have': missing,
  'reads without waiting for the tables': lost,
  'starts without the turns of the last process': missing,
}

for (const [defect, violation] of Object.entries(expected)) {
  test(`the checks detect a service that ${defect}`, async () => {
    const planted = defect as ThreadDefect
    const run = async (seed: number) =>
      (await runKills({ times: 2, seed, defect: planted })).violations
    await assertDetected(run, violation)
  })
}
