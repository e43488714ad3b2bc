// A figure of this checkout beside that of an earlier commit.

import { median } from './percentiles.ts'

export type ComparedFigure = {
  readonly name: string
  /** Medians; null if the system does not report them. */
  readonly earlier: number | null
  readonly present: number | null
  /** Median of the ratios, the present to the earlier. */
  readonly ratio: number | null
}

/** The results of the two, round by round. */
export type Pairs<Result> = {
  readonly earlier: readonly Result[]
  readonly present: readonly Result[]
}

export function compare<Result>(
  name: string,
  { earlier, present }: Pairs<Result>,
  figureOf: (result: Result) => number | null,
): ComparedFigure {
  const pairs = present.flatMap((result, at) => {
    const [before, now] = [figureOf(earlier[at]!), figureOf(result)]
    return before === null || now === null ? [] : [{ before, now }]
  })
  if (pairs.length === 0) return { name, earlier: null, present: null, ratio: null }
  return {
    name,
    earlier: median(pairs.map(({ before }) => before)),
    present: median(pairs.map(({ now }) => now)),
    ratio: median(pairs.map(({ before, now }) => now / before)),
  }
}
