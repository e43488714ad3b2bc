// What an order would do now: the checks of a placement and its plan, and nothing is changed.

import { feeOf } from '../money.ts'
import { marketNotFound, type Reject, refusedOrder } from '../reject.ts'
import { isVisibleTo } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import { isTrading } from '../state/market.ts'
import type { OrderOptions } from './options.ts'
import { unpackOptions } from './options.ts'
import { checkOrder, checkSale, type NewOrder, refuseOutcome } from './place.ts'
import { type Plan, planOf } from './plan.ts'

export type Preview = Pick<Plan, 'fills' | 'filled'> & {
  /** What the fills come to, in micro-units, whichever side it is. */
  readonly value: number
  /** In units of 1e-10: of the fills. */
  readonly fee: number
  /** What would wait in the book. */
  readonly resting: number
  /** What a buyer pays for the fills, in micro-units; a seller pays nothing. */
  readonly cost: number
  /** In units of 1e-10: the fills, the rest at its limit, and the fees on all. */
  readonly maxCost: bigint
}

export function preview(exchange: Exchange, order: NewOrder): Preview | Reject {
  const malformed = checkOrder(exchange, order)
  if (malformed !== null) return malformed
  const book = exchange.book(order.outcomeSerial)
  if (book === undefined || book.market.serial !== order.marketSerial) {
    return refuseOutcome(exchange.market(order.marketSerial), order.operator)
  }
  const { market } = book
  if (!isVisibleTo(market, order.operator)) return marketNotFound
  if (!isTrading(market, exchange.now)) return { code: 'MARKET_NOT_OPEN', status: market.status }
  const short = order.side === 'SELL' ? checkSale(exchange, order, book) : null
  if (short !== null) return short

  const options = unpackOptions(order.options)
  const isSell = order.side === 'SELL'
  const limit = order.type === 'LIMIT' ? (order.price ?? 0) : 0
  const { shares } = order
  const player = order.operator.players.get(order.playerId)?.handle ?? -1
  const prevention = options.selfTradePrevention
  const plan = planOf(exchange, { book, isSell, limit, shares, player, prevention })
  if (isRefused(plan, { options, limit, shares })) return refusedOrder(null, options.isPostOnly)

  const mayRest = limit > 0 && options.timeInForce === 'GTC' && !plan.isStopped
  const resting = mayRest ? shares - plan.filled : 0
  return summed({ plan, isSell, resting, limit, feeRate: exchange.feeRateOf(order.operator) })
}

type Asked = { readonly options: OrderOptions; readonly limit: number; readonly shares: number }

// A MARKET order that is stopped by an own order is cancelled, which is no refusal.
function isRefused({ filled, isStopped }: Plan, { options, limit, shares }: Asked): boolean {
  if (options.isPostOnly) return filled > 0
  if (options.timeInForce === 'FOK') return filled < shares
  return limit === 0 && filled === 0 && !isStopped
}

type Summing = {
  readonly plan: Plan
  readonly isSell: boolean
  readonly resting: number
  readonly limit: number
  readonly feeRate: number
}

const feeUnitsPerMicro = 10_000n

function summed({ plan, isSell, resting, limit, feeRate }: Summing): Preview {
  const { fills, filled, cost: value } = plan
  const whole = BigInt(value) + BigInt(resting) * BigInt(limit)
  const fees = whole * BigInt(feeRate)
  return {
    fills,
    filled,
    value,
    fee: feeOf(value, feeRate),
    resting,
    cost: isSell ? 0 : value,
    maxCost: isSell ? fees : whole * feeUnitsPerMicro + fees,
  }
}
