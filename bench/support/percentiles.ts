// What a list of measured numbers comes to.

/** The least of the sorted numbers that so large a part of them does not exceed; 0 for none. */
export function percentile(sorted: ArrayLike<number>, part: number): number {
  const rank = Math.ceil(sorted.length * part)
  return sorted[Math.max(rank, 1) - 1] ?? 0
}

/** Of an even number, the upper of the two in the middle. */
export function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0
}
