// The body of an order, of its amendment, or of a mint or redemption becomes what is asked of the
// engine. Its shape is checked already; here come shares, then price. Everything else is the rules'
// to refuse.

import type { Rules } from '../../core/exchange.ts'
import type { Ids } from '../../core/ids.ts'
import type { AmendAsk, PlaceAsk, SetsAsk } from '../../engine/commands.ts'
import { invalidField, Refusal } from '../errors.ts'
import type { ChangeSets } from '../schemas/holding.ts'
import type { AmendOrder, PlaceOrder } from '../schemas/order.ts'
import { priceOf, sharesOf } from './quantity.ts'
import { serialOf } from './serial.ts'
import { timeOf } from './time.ts'

type About = { readonly ids: Ids; readonly rules: Rules }

export function placeAskOf(
  { ids, rules }: About,
  operatorId: string,
  body: PlaceOrder,
): PlaceAsk | Refusal {
  const isLimit = body.type === 'LIMIT'
  if (isLimit && typeof body.price !== 'number') {
    return invalidField('price', 'is required for a LIMIT order')
  }
  const shares = sharesOf(body.shares, rules)
  if (shares instanceof Refusal) return shares
  const price = isLimit && typeof body.price === 'number' ? priceOf(body.price, rules) : null
  if (price instanceof Refusal) return price
  return {
    operatorId,
    marketId: serialOf(ids, body.marketId),
    outcomeId: serialOf(ids, body.outcomeId),
    playerId: body.playerId,
    side: body.side,
    type: body.type,
    shares,
    price,
    expiresAt: timeOf(body.expiresAt),
    transactionId: body.transactionId ?? null,
  }
}

export function amendAskOf(
  { ids, rules }: About,
  operatorId: string,
  { orderId, body }: { orderId: string; body: AmendOrder },
): AmendAsk | Refusal {
  if (body.shares === undefined && body.price === undefined) {
    return invalidField('body', 'must have shares or price')
  }
  const shares = body.shares === undefined ? null : sharesOf(body.shares, rules)
  if (shares instanceof Refusal) return shares
  const price = body.price === undefined ? null : priceOf(body.price, rules)
  if (price instanceof Refusal) return price
  return { operatorId, orderId: serialOf(ids, orderId), shares, price }
}

export function setsAskOf(
  { ids, rules }: About,
  asked: { kind: 'MINT' | 'REDEEM'; operatorId: string; marketId: string; body: ChangeSets },
): SetsAsk | Refusal {
  const { kind, operatorId, marketId, body } = asked
  const shares = sharesOf(body.shares, rules)
  if (shares instanceof Refusal) return shares
  const { playerId, transactionId = null } = body
  return { kind, operatorId, marketId: serialOf(ids, marketId), playerId, shares, transactionId }
}
