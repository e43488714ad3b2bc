// From values to places along an axis, and the round values to mark there.

export type Scale = {
  /** From 0 at the beginning of the axis to 1 at its end. */
  at(value: number): number
  readonly ticks: readonly number[]
}

const ticksWanted = 5

/** From 0 to the first tick above the largest. */
export function linearScale(values: readonly number[]): Scale {
  const largest = Math.max(...values) || 1
  const step = roundStep(largest / ticksWanted)
  const count = Math.max(1, Math.ceil(largest / step - 1e-9))
  // Divided by whole numbers where it can be, so that no tick comes out as 0.30000000000000004.
  const ticks = Array.from({ length: count + 1 }, (_, number) =>
    step < 1 ? number / Math.round(1 / step) : number * step,
  )
  const end = ticks.at(-1)!
  return { at: (value) => value / end, ticks }
}

/** 1, 2 or 5 times a power of ten, at least as large as that. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9)
  const step = [1, 2, 5, 10].find((times) => times * power >= least * (1 - 1e-9)) ?? 10
  return step * power
}
