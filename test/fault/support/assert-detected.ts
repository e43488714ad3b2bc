// Runs against a service with a planted defect. Whether the defect shows depends on the moment at
// which the process dies, so one run can miss it; one of several runs must detect it.

import assert from 'node:assert/strict'

const runsMax = 4

/** The violations of at least one of a few runs with different seeds must match. */
export async function assertDetected(
  run: (seed: number) => Promise<readonly string[]>,
  expected: RegExp,
): Promise<void> {
  const found: string[] = []
  for (let seed = 1; seed <= runsMax; seed += 1) {
    found.push((await run(seed)).join('\n'))
    if (expected.test(found.at(-1)!)) return
  }
  assert.fail(`None of ${runsMax} runs found ${expected}:\n${found.join('\n')}`)
}
