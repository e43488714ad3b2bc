// Percentiles and medians of measured numbers.

/** The smallest of the sorted numbers that `part` of them do not exceed; 0 for an empty list. */
export function percentile(sorted: ArrayLike<number>, part: number): number {
  const rank = Math.ceil(sorted.length * part)
  return sorted[Math.max(rank, 1) - 1] ?? 0
}

/** For an even count, the upper of the two in the middle. */
export function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0
}
