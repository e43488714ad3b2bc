// Steps through the numbers of a field, by its buttons and the arrow keys. Pure.

export type Steps = {
  readonly step: number
  readonly min: number
  readonly max: number
  /** Where an empty field starts. */
  readonly start: number
}

/** Multiples of the step, so that 0.3 is followed by 0.3001; from between two, the next of them. */
export function stepped(value: number | null, count: number, { step, min, max, start }: Steps) {
  if (value === null) return start
  const at = Number((value / step).toFixed(6))
  const next = (count > 0 ? Math.floor(at) : Math.ceil(at)) + count
  return Number(Math.min(max, Math.max(min, next * step)).toFixed(4))
}

type Key = { readonly key: string; readonly shiftKey: boolean }

/** How many steps a key goes; null for other keys. */
export function stepsOf({ key, shiftKey }: Key): number | null {
  const size = shiftKey ? 10 : 1
  if (key === 'ArrowUp') return size
  if (key === 'ArrowDown') return -size
  if (key === 'PageUp') return 100
  return key === 'PageDown' ? -100 : null
}
