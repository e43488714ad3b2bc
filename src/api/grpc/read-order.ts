// A message becomes the body of a REST request, is validated against the same schema, and parsed by
// the same function. Only decimals differ: they are exact texts here.

import { Type } from 'typebox'
import type { PlaceOrder } from '../../engine/commands.ts'
import { invalidFields, type Refusal } from '../errors.ts'
import { type OrderBody, type OrderContext, placeOrderOf } from '../parse/order.ts'
import { nullable, requiredUnless } from '../schemas/fields.ts'
import { PlaceOrderBody } from '../schemas/order.ts'
import { orderBodyRules } from '../validate/body-rules.ts'
import { faultFinder } from '../validate/faults-in.ts'
import { strictAjv } from '../validate/validation.ts'
import type { PlaceOrderRequest } from './generated/outcry/v1/outcry.ts'
import { orderTypes, selfTradePreventions, sides, timesInForce } from './words.ts'

const Decimal = Type.String({ format: 'decimal' })

const schema = Type.Object(
  {
    ...PlaceOrderBody.properties,
    shares: Type.Optional(Decimal),
    amount: Type.Optional(nullable(Decimal)),
    price: Type.Optional(nullable(Decimal)),
  },
  { additionalProperties: false, ...requiredUnless('shares', 'amount') },
)
const isOrderBody = strictAjv.compile<OrderBody>(schema)
const faultsIn = faultFinder(schema, 'order', orderBodyRules)

export function readOrder(
  context: OrderContext,
  operatorId: string,
  request: PlaceOrderRequest,
): PlaceOrder | Refusal {
  const body = bodyOf(request)
  if (isOrderBody(body)) return placeOrderOf(context, operatorId, body)
  return invalidFields(faultsIn(body, isOrderBody.errors![0]!))
}

/** Unset fields are omitted, as they would be in JSON. */
function bodyOf(request: PlaceOrderRequest): unknown {
  const body: Record<string, unknown> = {
    marketId: request.marketId,
    outcomeId: request.outcomeId,
    playerId: request.playerId,
    side: sides.wordOf(request.side),
    type: orderTypes.wordOf(request.type),
    price: request.price || undefined,
    transactionId: request.transactionId || undefined,
    expiresAt: request.expiresAt || undefined,
  }
  if (request.orderGroupId) body.orderGroupId = request.orderGroupId
  if (request.shares) body.shares = request.shares
  if (request.amount) body.amount = request.amount
  if (request.postOnly) body.postOnly = true
  const timeInForce = timesInForce.wordOf(request.timeInForce)
  if (timeInForce !== undefined) body.timeInForce = timeInForce
  const prevention = selfTradePreventions.wordOf(request.selfTradePrevention)
  if (prevention !== undefined) body.selfTradePrevention = prevention
  return body
}
