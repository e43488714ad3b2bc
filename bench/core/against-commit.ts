// Is the core faster than at an earlier commit? The core bench of both runs in turns; a ratio is
// the median over pairs of runs.

import { type ComparedFigure, compare, type Pairs } from '../support/compared-figure.ts'
import { openWorktree } from '../support/worktree.ts'
import type { CoreResults } from './core.ts'

export type CoreAgainstResult = {
  readonly commit: string
  readonly pairs: number
  readonly figures: readonly ComparedFigure[]
}

export const defaultCorePairs = 9

/** `measure` runs the core bench of the checkout in that folder. */
export function benchCoreAgainst(
  revision: string,
  pairs: number,
  { measure, log }: { measure: (root: string | null) => CoreResults; log: (text: string) => void },
): CoreAgainstResult {
  const { root, commit, remove } = openWorktree(revision)
  try {
    const earlier: CoreResults[] = []
    const present: CoreResults[] = []
    const sides = [() => earlier.push(measure(root)), () => present.push(measure(null))]
    for (let pair = 1; pair <= pairs; pair += 1) {
      log(`Core against ${commit}, pair ${pair} of ${pairs} ...`)
      for (const run of pair % 2 === 0 ? sides : sides.toReversed()) run()
    }
    return { commit, pairs, figures: figuresOf({ earlier, present }) }
  } finally {
    remove()
  }
}

function figuresOf(pairs: Pairs<CoreResults>): ComparedFigure[] {
  const cases = pairs.present[0]!.results
  return cases.flatMap(({ books }, at) => [
    compare(`${books} books, op/s`, pairs, ({ results }) => results[at]!.outcry),
    compare(
      `${books} books, with answers and events, op/s`,
      pairs,
      ({ results }) => results[at]!.outcryRecorded,
    ),
  ])
}
