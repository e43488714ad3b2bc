// Fees in the model: one formula for both models, in exact fractions of whole numbers.

import type { Order, State } from './model-state.ts'
import type { FeeSchedule } from './step.ts'

type Side = {
  readonly order: Order
  readonly role: 'TAKER' | 'MAKER'
  readonly price: number
  readonly shares: number
}

/** In units of 1e-10, floored. */
export function feeOf(state: State, { order, role, price, shares }: Side): bigint {
  const { model, takerRate, makerRate } = scheduleOf(state, order)
  const rate = role === 'TAKER' ? takerRate : makerRate
  const value = BigInt(shares) * BigInt(price)
  const left = model === 'LINEAR' ? 10_000 : 10_000 - price
  return (value * BigInt(left) * BigInt(rate)) / 10_000n
}

function scheduleOf({ operators, rules }: State, { operator, market }: Order): FeeSchedule {
  const own = operators[operator]!
  const rate = own.feeRate ?? rules.feeRate
  const usual = { model: 'LINEAR', takerRate: rate, makerRate: rate } as const
  const ofMarket = operator === market.owner ? market.feeSchedule : null
  return ofMarket ?? own.feeSchedule ?? usual
}
