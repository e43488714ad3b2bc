// How long a transactionId stays in use: until its market is SETTLED or CANCELLED, and for at least
// 24 hours after the request. Until then the same request is answered from the stored record.

import type { MarketStatus } from './words.ts'

/** How long a transactionId stays in use at least. */
export const keyLifetimeMs = 24 * 60 * 60 * 1_000

export function isKeyInUse(
  request: { readonly createdAt: number; readonly marketStatus: MarketStatus },
  now: number,
): boolean {
  const { createdAt, marketStatus } = request
  if (marketStatus !== 'SETTLED' && marketStatus !== 'CANCELLED') return true
  return createdAt > now - keyLifetimeMs
}
