// The number of a shard in a path.

/** null for a text that no shard has as its number. */
export function shardNumberOf(text: string): number | null {
  return /^(?:0|[1-9][0-9]{0,3})$/.test(text) ? Number(text) : null
}
