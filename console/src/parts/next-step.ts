// The next state of a list on its way to other items, with a few new rows. Pure.

export type Row = { readonly id: string }

export const newRowsMax = 12

/** New rows are added from the top, and push out those that are shown. */
export function nextStep<Item extends Row>(
  shown: readonly Item[],
  items: readonly Item[],
): readonly Item[] {
  const known = new Set(shown.map(({ id }) => id))
  const firstToWait = items.filter(({ id }) => !known.has(id))[newRowsMax]
  if (firstToWait === undefined) return items
  const ready = items.slice(0, items.indexOf(firstToWait))
  const added = new Set(ready.map(({ id }) => id))
  return [...ready, ...shown.filter(({ id }) => !added.has(id))].slice(0, items.length)
}
