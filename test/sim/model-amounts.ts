// Orders by amount in the model: the largest number of shares that is payable is found by trying.

import { sharesOnWire } from './model-events.ts'
import { feeOf } from './model-fees.ts'
import type { NewEvent, Order, State } from './model-state.ts'

/** Whether an order pays for a hundredth of a share at that price; one by shares always does. */
export function mayPay(state: State, order: Order, price: number): boolean {
  return order.amount === null || costOf(state, order, { price, shares: 1 }) <= leftOf(order)
}

/** Pays for at most so many shares in one trade, and says whether one more was too many. */
export function payable(
  state: State,
  order: Order,
  { price, most }: { readonly price: number; readonly most: number },
): { shares: number; isUsedUp: boolean } {
  const isPayable = (shares: number) => costOf(state, order, { price, shares }) <= leftOf(order)
  let [shares, tooMany] = [0, most + 2]
  while (tooMany - shares > 1) {
    const middle = Math.floor((shares + tooMany) / 2)
    if (isPayable(middle)) shares = middle
    else tooMany = middle
  }
  const isUsedUp = shares <= most
  shares = Math.min(shares, most)
  order.spent += costOf(state, order, { price, shares })
  return { shares, isUsedUp }
}

/** An event of an order by amount, whose shares are known only after its last trade. */
export function afterAll(event: NewEvent, order: Order): NewEvent {
  if (order.amount === null || event.payload.orderId !== order.id) return event
  const filled = Math.round(Number(event.payload.filledShares) * 100)
  const isLast = filled === order.filled
  return {
    ...event,
    payload: {
      ...event.payload,
      remainingShares: sharesOnWire(order.filled - filled),
      status: isLast && order.status !== 'CANCELLED' ? 'FILLED' : 'PARTIAL',
    },
  }
}

function leftOf({ amount, spent }: Order): bigint {
  return BigInt(amount!) * 10_000n - spent
}

type Parcel = { readonly price: number; readonly shares: number }

function costOf(state: State, order: Order, { price, shares }: Parcel): bigint {
  const value = BigInt(price) * BigInt(shares) * 10_000n
  return value + feeOf(state, { order, role: 'TAKER', price, shares })
}
