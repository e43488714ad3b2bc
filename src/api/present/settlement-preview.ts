// What a settlement would pay as it is on the wire.

import type { Ids } from '../../core/ids.ts'
import { decimals, textOf } from '../../core/money.ts'
import type { MarketRow, SettlementSums } from '../../store/store.ts'
import { operatorsShownMax, type SettlementPreview } from '../schemas/holding.ts'
import { moneyText, priceText } from './quantity.ts'

type Preview = {
  readonly market: MarketRow
  /** Of each outcome of the market, in its order. */
  readonly payouts: readonly number[]
  readonly sums: SettlementSums
}

export function presentSettlementPreview(ids: Ids, preview: Preview): SettlementPreview {
  const { market, payouts, sums } = preview
  const outcomeIds = market.outcomes.map(({ serial }) => ids.textOf(serial, market.createdAt))
  const totalsOf = (of: SettlementSums) => {
    const byOutcome = Map.groupBy(of, ({ outcomeSerial }) => outcomeSerial)
    const outcomes = market.outcomes.map(({ serial }, index) => {
      const own = byOutcome.get(serial) ?? []
      const shares = own.reduce((sum, each) => sum + each.shares, 0n)
      const positions = own.reduce((sum, each) => sum + each.positions, 0)
      return { index, positions, shares, payout: shares * BigInt(payouts[index] ?? 0) }
    })
    return {
      positions: outcomes.reduce((sum, each) => sum + each.positions, 0),
      payout: outcomes.reduce((sum, each) => sum + each.payout, 0n),
      outcomes,
    }
  }
  type Totals = ReturnType<typeof totalsOf>
  const present = ({ positions, payout, outcomes }: Totals) => ({
    positions,
    totalPayout: moneyText(payout),
    outcomes: outcomes
      .filter((each) => each.positions > 0)
      .map((each) => ({
        outcomeId: outcomeIds[each.index]!,
        positions: each.positions,
        shares: textOf(each.shares, decimals.shares),
        payout: moneyText(each.payout),
      })),
  })
  const operators = [...Map.groupBy(sums, ({ operatorId }) => operatorId)]
    .map(([operatorId, of]) => ({ operatorId, totals: totalsOf(of) }))
    .sort((one, other) => comparePayouts(other.totals, one.totals))
  return {
    marketId: ids.textOf(market.serial, market.createdAt),
    payouts: outcomeIds.map((outcomeId, index) => ({
      outcomeId,
      payoutPerShare: priceText(payouts[index] ?? 0),
    })),
    ...present(totalsOf(sums)),
    operatorsTotal: operators.length,
    operators: operators
      .slice(0, operatorsShownMax)
      .map(({ operatorId, totals }) => ({ operatorId, ...present(totals) })),
  }
}

function comparePayouts(one: { payout: bigint }, other: { payout: bigint }): number {
  return one.payout < other.payout ? -1 : one.payout > other.payout ? 1 : 0
}
