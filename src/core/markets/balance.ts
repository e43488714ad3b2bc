// The balance of a market: every outcome has as many shares as there are complete sets outstanding,
// and a settlement pays out exactly one unit for each set.

import { microsPerSet } from '../money.ts'

/** Added up from records; shares and sets in hundredths, payouts in micro-units. */
export type MarketSums = {
  /** By command. */
  readonly setsMinted: bigint
  readonly setsRedeemed: bigint
  readonly outcomes: readonly OutcomeSums[]
  readonly payouts: bigint
  /** Whether everything was paid out. */
  readonly isSettled: boolean
}

export type OutcomeSums = {
  /** What all players hold. */
  readonly shares: bigint
  /** By matching: one share of every outcome at a time. */
  readonly minted: bigint
  readonly merged: bigint
}

/** Sets minted and redeemed, by command and by matching. */
export function setsOf({ setsMinted, setsRedeemed, outcomes }: MarketSums): {
  readonly minted: bigint
  readonly redeemed: bigint
} {
  const [first = { minted: 0n, merged: 0n }] = outcomes
  return { minted: setsMinted + first.minted, redeemed: setsRedeemed + first.merged }
}

export function isBalanced(sums: MarketSums): boolean {
  const { minted, redeemed } = setsOf(sums)
  const outstanding = minted - redeemed
  const [first] = sums.outcomes
  const isEven = sums.outcomes.every(
    (outcome) =>
      outcome.shares === outstanding &&
      outcome.minted === first?.minted &&
      outcome.merged === first.merged,
  )
  return isEven && (!sums.isSettled || sums.payouts === outstanding * BigInt(microsPerSet))
}
