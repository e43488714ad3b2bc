// Parses the body of an order, an amendment, a mint or a redemption into a command for the engine.
// The schema has validated its shape; here shares and price are checked, in this order. The core
// checks everything else.

import type { Ids } from '../../core/ids.ts'
import type { Shares } from '../../core/money.ts'
import { amountMisplaced, mayHaveAmount } from '../../core/orders/checks.ts'
import {
  checkOptions,
  type OrderOptions,
  packOptions,
  usualOptions,
} from '../../core/orders/options.ts'
import type { Rules } from '../../core/state/exchange.ts'
import type { AmendOrder, ChangeSets, PlaceOrder } from '../../engine/commands.ts'
import { invalidField, Refusal } from '../errors.ts'
import type { ChangeSetsBody } from '../schemas/holding.ts'
import type { AmendOrderBody, PlaceOrderBody } from '../schemas/order.ts'
import { amountOf, priceOf, sharesOf } from './quantity.ts'
import { checkRules, faultOfReject, type Rule } from './rule.ts'
import { serialOf } from './serial.ts'
import { timeOf } from './time.ts'

/** As in the schema, or with decimals as texts. */
export type OrderBody = Omit<PlaceOrderBody, 'shares' | 'amount' | 'price'> & {
  readonly shares?: number | string
  readonly amount?: number | string | null
  readonly price?: number | string | null
}

export const orderRules: readonly Rule<OrderBody>[] = [
  {
    fields: ['type', 'price'],
    faultIn: ({ type, price = null }) => {
      if (type !== 'LIMIT' || price !== null) return null
      return { field: 'price', message: 'is required for a LIMIT order' }
    },
  },
  {
    // A MARKET order must not have a timeInForce, not even the default.
    fields: ['type', 'timeInForce'],
    faultIn: ({ type, timeInForce = null }) => {
      if (type !== 'MARKET' || timeInForce === null) return null
      return { field: 'timeInForce', message: 'is allowed only on LIMIT orders' }
    },
  },
  {
    fields: ['type', 'timeInForce', 'postOnly'],
    faultIn: (body) => {
      // The rule above reports the timeInForce of a MARKET order.
      const options = { ...optionsOf(body), ...(body.type === 'MARKET' && usualTime) }
      return faultOfReject(checkOptions(body.type, options))
    },
  },
  {
    fields: ['side', 'type', 'timeInForce', 'postOnly', 'shares', 'amount'],
    faultIn: (body) => {
      const { shares, amount = null, side, type } = body
      if (amount === null) return null
      if (shares !== undefined) return { field: 'amount', message: 'must not be given with shares' }
      const options = packOptions(optionsOf(body))
      if (mayHaveAmount({ side, type, options })) return null
      return { field: 'amount', message: amountMisplaced }
    },
  },
]

const usualTime = { timeInForce: usualOptions.timeInForce }

export type OrderContext = { readonly ids: Ids; readonly rules: Rules }

export function placeOrderOf(
  { ids, rules }: OrderContext,
  operatorId: string,
  body: OrderBody,
): PlaceOrder | Refusal {
  const refused = checkRules(orderRules, body)
  if (refused !== null) return refused
  const limit = body.type === 'LIMIT' ? (body.price ?? null) : null
  const wanted = wantedOf(body, rules)
  if (wanted instanceof Refusal) return wanted
  const price = limit === null ? null : priceOf(limit, rules)
  if (price instanceof Refusal) return price
  return {
    operatorId,
    marketSerial: serialOf(ids, body.marketId),
    outcomeSerial: serialOf(ids, body.outcomeId),
    playerId: body.playerId,
    side: body.side,
    type: body.type,
    ...wanted,
    price,
    expiresAt: timeOf(body.expiresAt),
    options: packOptions(optionsOf(body)),
    transactionId: body.transactionId ?? null,
    ...(body.orderGroupId == null ? {} : { orderGroupSerial: serialOf(ids, body.orderGroupId) }),
  }
}

type Wanted = Pick<PlaceOrder, 'shares' | 'amount'>

/** Exactly one of shares and amount. */
function wantedOf(body: OrderBody, rules: Rules): Wanted | Refusal {
  const { shares: sharesGiven, amount: amountGiven = null } = body
  if (amountGiven === null) {
    if (sharesGiven === undefined) return invalidField('shares', 'is required')
    const shares = sharesOf(sharesGiven, rules)
    return shares instanceof Refusal ? shares : { shares }
  }
  const amount = amountOf(amountGiven, rules)
  return amount instanceof Refusal ? amount : { shares: 0 as Shares, amount }
}

function optionsOf({ timeInForce, postOnly, selfTradePrevention }: OrderBody): OrderOptions {
  return {
    timeInForce: timeInForce ?? usualOptions.timeInForce,
    isPostOnly: postOnly ?? usualOptions.isPostOnly,
    selfTradePrevention: selfTradePrevention ?? usualOptions.selfTradePrevention,
  }
}

export function amendOrderOf(
  { ids, rules }: OrderContext,
  operatorId: string,
  { orderId, body }: { orderId: string; body: AmendOrderBody },
): AmendOrder | Refusal {
  if (body.shares === undefined && body.price === undefined) {
    return invalidField('body', 'must contain shares or price')
  }
  const shares = body.shares === undefined ? null : sharesOf(body.shares, rules)
  if (shares instanceof Refusal) return shares
  const price = body.price === undefined ? null : priceOf(body.price, rules)
  if (price instanceof Refusal) return price
  return { operatorId, orderSerial: serialOf(ids, orderId), shares, price }
}

export function changeSetsOf(
  { ids, rules }: OrderContext,
  request: { kind: 'MINT' | 'REDEEM'; operatorId: string; marketId: string; body: ChangeSetsBody },
): ChangeSets | Refusal {
  const { kind, operatorId, marketId, body } = request
  const shares = sharesOf(body.shares, rules)
  if (shares instanceof Refusal) return shares
  const { playerId, transactionId = null } = body
  return {
    kind,
    operatorId,
    marketSerial: serialOf(ids, marketId),
    playerId,
    shares,
    transactionId,
  }
}
