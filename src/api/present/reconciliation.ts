// The exposure of a player and the reconciliation of a market as they are on the wire.

import { type FeeSchedule, feeLimitOf } from '../../core/fee.ts'
import type { Ids } from '../../core/ids.ts'
import { isBalanced, setsOf } from '../../core/markets/balance.ts'
import { decimals, microsPerSet, textOf } from '../../core/money.ts'
import type {
  Exposure,
  MarketRow,
  OpenBuys,
  PlayerValuation,
  Reconciliation,
} from '../../store/store.ts'
import type * as wire from '../schemas/holding.ts'
import { feeText, moneyText } from './quantity.ts'

export function presentExposure(
  playerId: string,
  { currencies, openOrders, positions }: Exposure,
  fees: FeeSchedule,
): wire.Exposure {
  return {
    playerId,
    currencies: currencies.map(({ currency, openBuyCost, openBuys, positionsCost }) => ({
      currency,
      openBuyCost: moneyText(openBuyCost),
      openBuyFees: feeText(feesOfAll(openBuys, fees)),
      positionsCost: moneyText(positionsCost),
    })),
    openOrders,
    positions,
  }
}

function feesOfAll(openBuys: readonly OpenBuys[], fees: FeeSchedule): bigint {
  return openBuys.reduce((sum, buys) => sum + feeLimitOf(buys, buys.feeSchedule ?? fees), 0n)
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
