// The exposure of a player and the reconciliation of a market as they are on the wire.

import { feeLimitOf } from '../../core/fee.ts'
import type { Ids } from '../../core/ids.ts'
import { isBalanced, setsOf } from '../../core/markets/balance.ts'
import { decimals, type FeeRate, microsPerSet, textOf } from '../../core/money.ts'
import type { Exposure, MarketRow, PlayerValuation, Reconciliation } from '../../store/store.ts'
import type * as wire from '../schemas/holding.ts'
import { moneyText } from './quantity.ts'

export function presentExposure(
  playerId: string,
  { currencies, openOrders, positions }: Exposure,
  feeRate: FeeRate,
): wire.Exposure {
  return {
    playerId,
    currencies: currencies.map(({ currency, openBuyCost, positionsCost }) => ({
      currency,
      openBuyCost: moneyText(openBuyCost),
      openBuyFees: textOf(feeLimitOf(openBuyCost, feeRate), decimals.fee),
      positionsCost: moneyText(positionsCost),
    })),
    openOrders,
    positions,
  }
}

export function presentValuation(playerId: string, sums: PlayerValuation): wire.Valuation {
  return {
    playerId,
    currencies: sums.map(({ currency, positions, cost, value, unrealized, realized, total }) => ({
      currency,
      positions,
      totalCost: moneyText(cost),
      value: moneyText(value),
      unrealizedPnl: moneyText(unrealized),
      realizedPnl: moneyText(realized),
      totalPnl: moneyText(total),
    })),
  }
}

export function presentReconciliation(
  ids: Ids,
  { createdAt }: MarketRow,
  sums: Reconciliation,
): wire.Reconciliation {
  const { minted, redeemed } = setsOf(sums)
  const shares = (steps: bigint) => textOf(steps, decimals.shares)
  const moneyOfSets = (sets: bigint) => moneyText(sets * BigInt(microsPerSet))
  return {
    setsMinted: shares(minted),
    setsRedeemed: shares(redeemed),
    outcomes: sums.outcomes.map((outcome) => ({
      outcomeId: ids.textOf(outcome.outcomeSerial, createdAt),
      shares: shares(outcome.shares),
    })),
    operators: sums.operators.map((operator) => ({
      operatorId: operator.operatorId,
      minted: moneyOfSets(operator.setsMinted),
      redeemed: moneyOfSets(operator.setsRedeemed),
      bought: moneyText(operator.bought),
      sold: moneyText(operator.sold),
      fees: textOf(operator.fees, decimals.fee),
    })),
    payouts: moneyText(sums.payouts),
    balanced: isBalanced(sums),
  }
}
