// Which prices an incoming order accepts and prefers.

import { noPrice } from '../money.ts'

/** Whether that synthetic price is better for the incoming order than that of a resting one. */
export function beats(isSell: boolean, synthetic: number, direct: number): boolean {
  return isSell ? synthetic > direct : synthetic < direct
}

/** Whether an order with that limit, noPrice for none, accepts that price, if there is one. */
export function suits(isSell: boolean, limit: number, price: number): boolean {
  if (price === noPrice) return false
  return limit === noPrice || (isSell ? price >= limit : price <= limit)
}
