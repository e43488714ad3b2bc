// Maps values to positions along an axis, and picks round values for its ticks.

export type Scale = {
  /** 0 at the start of the axis, 1 at its end. */
  at(value: number): number
  readonly ticks: readonly number[]
}

const ticksWanted = 5

/** From 0 to the first tick that is not below the largest value. */
export function linearScale(values: readonly number[]): Scale {
  const largest = Math.max(...values) || 1
  const step = roundStep(largest / ticksWanted)
  const count = Math.max(1, Math.ceil(largest / step - 1e-9))
  // Dividing by a whole number avoids ticks such as 0.30000000000000004.
  const ticks = Array.from({ length: count + 1 }, (_, number) =>
    step < 1 ? number / Math.round(1 / step) : number * step,
  )
  const end = ticks.at(-1)!
  return { at: (value) => value / end, ticks }
}

/** The smallest of 1, 2 or 5 times a power of ten that is not below `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9)
  const step = [1, 2, 5, 10].find((times) => times * power >= least * (1 - 1e-9)) ?? 10
  return step * power
}
