// What an order by amount may still spend. It takes the best price first, as many hundredths of a
// share as the rest pays for with their fee, and is filled when not one hundredth more is payable.

import { costWithFee, type FeeSchedule, type PricedShares, payableShares } from '../fee.ts'
import type { Spending } from '../memory/orders.ts'
import { feeUnitsPerMicro } from '../money.ts'

export class Budget {
  readonly fees: FeeSchedule
  private readonly spending: Spending

  constructor(spending: Spending, fees: FeeSchedule) {
    this.spending = spending
    this.fees = fees
  }

  /** To plan with. */
  copy(): Budget {
    return new Budget({ ...this.spending }, this.fees)
  }

  /** In micro-units. */
  get amount(): number {
    return this.spending.amount
  }

  get isUsedUp(): boolean {
    return this.spending.isUsedUp
  }

  /** Whether a trade at that price is possible; if not, the budget is used up. */
  pays(price: number): boolean {
    const isPayable = costWithFee({ price, shares: 1 }, this.fees) <= this.left
    if (!isPayable) this.spending.isUsedUp = true
    return isPayable
  }

  /** Buys as many of those shares as it pays for in one trade; returns how many. */
  buy({ price, shares }: PricedShares): number {
    const payable = payableShares(this.left, { price, shares: shares + 1 }, this.fees)
    const bought = Math.min(payable, shares)
    this.spending.isUsedUp = payable === bought
    this.spending.spent += costWithFee({ price, shares: bought }, this.fees)
    return bought
  }

  // In units of 1e-10.
  private get left(): number {
    return this.spending.amount * feeUnitsPerMicro - this.spending.spent
  }
}

/** Never of an order by shares, which has no budget. */
export function isUsedUp(budget: Budget | null): boolean {
  return budget?.isUsedUp === true
}
