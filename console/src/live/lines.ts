// The prices of several outcomes at common times. Pure.

import type { Candle } from '../wire.ts'

export type Line = { readonly outcomeId: string; readonly candles: readonly Candle[] }

export type Lines = {
  /** Unix milliseconds, ascending. */
  readonly times: number[]
  /** For each line, its price at each time; null before its first trade. */
  readonly prices: (number | null)[][]
}

/** A price lasts until the next trade. */
export function linesAt(lines: readonly Line[]): Lines {
  const closes = lines.map(
    ({ candles }) => new Map(candles.map(({ time, close }) => [time, close])),
  )
  const times = [...new Set(closes.flatMap((line) => [...line.keys()]))].sort((a, b) => a - b)
  const prices = closes.map((line) => {
    let last: number | null = null
    return times.map((time) => {
      last = line.get(time) ?? last
      return last
    })
  })
  return { times, prices }
}
