// The tape of an outcome: trades that were loaded, and those heard since. Pure.

import type { TapeTrade } from '../wire.ts'

/**
 * Newest first, each once. All trades of one time are stored together, so whatever is not newer
 * than the newest that was loaded was loaded with it.
 */
export function joined(
  loaded: readonly TapeTrade[],
  heard: readonly TapeTrade[],
): readonly TapeTrade[] {
  const newest = loaded[0]?.timestamp ?? 0
  return [...heard.filter(({ timestamp }) => timestamp > newest), ...loaded]
}
