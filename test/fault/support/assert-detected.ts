// Runs of a service that was broken on purpose. Whether a fault shows depends on the moment at
// which the process dies, so that one run may miss it; of several, one must find it.

import assert from 'node:assert/strict'

const runsMax = 4

/** The violations that a run finds must say so, in one of a few runs with different seeds. */
export async function assertCaught(
  run: (seed: number) => Promise<readonly string[]>,
  expected: RegExp,
): Promise<void> {
  const found: string[] = []
  for (let seed = 1; seed <= runsMax; seed += 1) {
    found.push((await run(seed)).join('\n'))
    if (expected.test(found.at(-1)!)) return
  }
  assert.fail(`None of ${runsMax} runs says ${expected}:\n${found.join('\n')}`)
}
