// The band of a chart that belongs to volumes, below the prices. Pure.

/** Parts of the height: of the band, and of the gap above it, which has its label. */
export const bandShare = 0.2
export const gapShare = 0.07

type Range = readonly [low: number, high: number]

/** The range of an axis on which these prices stay above the band. */
export function aboveBand([low, high]: Range): [number, number] {
  const lower = bandShare + gapShare
  return [low - ((high - low) * lower) / (1 - lower), high]
}

/** The lowest price above the band of such an axis. */
export function lowestOf([min, max]: Range): number {
  return min + (max - min) * (bandShare + gapShare)
}
