// Numbers with a meaning of their own: TypeScript then keeps a price from being passed as a number
// of shares, and the row of an order from being passed as the row of a position.

declare const brand: unique symbol

/** A number that may stand for each of the kinds, and for nothing else. */
export type Brand<Kind extends string> = number & {
  readonly [brand]: { readonly [Name in Kind]: true }
}
