// What an order would do now: the checks of a placement and its plan, without changing anything.

import { type FeeSchedule, feeOf } from '../fee.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import { checkOrder, limitOf, mayRest, type NewOrder } from './checks.ts'
import { unpackOptions } from './options.ts'
import { type Plan, planOf, rejectionOf } from './plan.ts'
import { bandLimitOf } from './price-band.ts'

export type Preview = Pick<Plan, 'fills' | 'filled' | 'value' | 'fee'> & {
  /** The shares that would wait in the book. */
  readonly resting: number
  /** What a buyer pays for the fills, in micro-units; a seller pays nothing. */
  readonly cost: number
  /** In units of 1e-10: the fills, the rest at its limit, and the fees on all. */
  readonly maxCost: bigint
}

export function preview(exchange: Exchange, order: NewOrder): Preview | Reject {
  const checked = checkOrder(exchange, order)
  if ('code' in checked) return checked

  const { book, group, player } = checked
  const { shares } = order
  const options = unpackOptions(order.options)
  const isSell = order.side === 'SELL'
  const limit = limitOf(order)
  const bandLimit = bandLimitOf(book, isSell)
  const planned = { book, isSell, limit, bandLimit, shares, player, options, group }
  const rejection = rejectionOf(exchange, planned)
  if (rejection !== null) return { code: rejection.code, orderId: null }
  const fees = exchange.feesOf(order.operator, book.market)
  const plan = planOf(exchange, planned, fees)

  const resting = mayRest(order) && plan.stoppedBy === null ? shares - plan.filled : 0
  return summed({ plan, isSell, resting, limit, fees })
}

type Summing = {
  readonly plan: Plan
  readonly isSell: boolean
  readonly resting: number
  readonly limit: number
  readonly fees: FeeSchedule
}

const feeUnitsPerMicro = 10_000n

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
    maxCost: isSell ? mostFees : most * feeUnitsPerMicro + mostFees,
  }
}
