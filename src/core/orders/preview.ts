// What an order would do now: the checks of a placement and its plan, without changing anything.

import { type FeeSchedule, feeOf } from '../fee.ts'
import { feeUnitsPerMicro } from '../money.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import { checkOrder, isByAmount, mayRest, type NewOrder, plannedOf } from './checks.ts'
import { type Plan, planOf, rejectionOf } from './plan.ts'

export type Preview = Pick<Plan, 'fills' | 'filled' | 'value' | 'fee'> & {
  /** The shares that would wait in the book. */
  readonly resting: number
  /** What a buyer pays for the fills, in micro-units; a seller pays nothing. */
  readonly cost: number
  /** In units of 1e-10: the fills, the rest at its limit, and the fees on all. */
  readonly maxCost: bigint
  /** Of an order by amount, in micro-units. */
  readonly amount?: number
}

export function preview(exchange: Exchange, order: NewOrder): Preview | Reject {
  const checked = checkOrder(exchange, order)
  if ('code' in checked) return checked

  const planned = plannedOf(exchange, order, checked)
  const { book, isSell, limit, shares } = planned
  const fees = exchange.feesOf(order.operator, book.market)
  const rejection = rejectionOf(exchange, planned)
  if (rejection !== null) return { code: rejection.code, orderId: null }
  const plan = planOf(exchange, planned, fees)

  const resting = mayRest(order) && plan.stoppedBy === null ? shares - plan.filled : 0
  const previewed = summed({ plan, isSell, resting, limit, fees })
  return isByAmount(order) ? { ...previewed, amount: order.amount } : previewed
}

type Summing = {
  readonly plan: Plan
  readonly isSell: boolean
  readonly resting: number
  readonly limit: number
  readonly fees: FeeSchedule
}

function summed({ plan, isSell, resting, limit, fees }: Summing): Preview {
  const { fills, filled, value, fee } = plan
  const most = BigInt(value) + BigInt(resting) * BigInt(limit)
  const restFee = feeOf({ price: limit, shares: resting }, fees, 'MAKER')
  const mostFees = BigInt(fee) + BigInt(restFee)
  return {
    fills,
    filled,
    value,
    fee,
    resting,
    cost: isSell ? 0 : value,
    maxCost: isSell ? mostFees : most * BigInt(feeUnitsPerMicro) + mostFees,
  }
}
