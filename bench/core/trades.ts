// What one operation did to the orders that rested, in a form in which two matchers can be
// compared: which were filled, in which order, and how much was taken of one that was not.

export type Meeting = {
  readonly filled: readonly number[]
  readonly partly: { readonly order: number; readonly shares: number } | null
}

export function rowOf(operation: number, { filled, partly }: Meeting): string {
  const rest = partly === null ? '' : ` and ${partly.shares} of ${partly.order}`
  return `${operation} filled ${filled.join(', ')}${rest}`
}
