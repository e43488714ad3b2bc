// A request that comes again under its transactionId: the same one is answered from what is
// stored, another one is refused.

import type { Ids } from '../../core/ids.ts'
import { refusedOrder } from '../../core/reject.ts'
import type { RecordStore, Replayable } from '../../store/store.ts'
import type { PlaceAnswer, PlaceAsk, Result, SetsAnswer, SetsAsk } from '../commands.ts'
import { refused, taken } from '../perform.ts'
import { setsAgain } from '../sets-answer.ts'
import { orderOfRow, tradeOfRow } from './stored-answers.ts'
import { hashOfTexts } from './used-keys.ts'

const dayMs = 24 * 60 * 60 * 1_000
/** More outcomes than a market may have. */
const positionsMax = 1_000

/** What was asked, whatever it was written like. */
export function fingerprintOf(ask: PlaceAsk | SetsAsk): number {
  const common = [ask.marketId, ask.playerId, ask.shares]
  const own =
    'side' in ask
      ? [ask.outcomeId, ask.side, ask.type, ask.type === 'LIMIT' ? ask.price : null, ask.expiresAt]
      : [ask.kind]
  // Left out where there are none: requests from before there were options keep their fingerprint.
  const options = 'side' in ask && ask.options !== 0 ? [ask.options] : []
  return hashOfTexts([...common, ...own, ...options].map(String))
}

/** A key stays used while its market lives, and for a day at least. */
export function isInForce({ marketStatus, ...found }: Replayable, now: number): boolean {
  if (marketStatus !== 'SETTLED' && marketStatus !== 'CANCELLED') return true
  const { createdAt } = found.kind === 'ORDER' ? found.order : found.sets
  return createdAt > now - dayMs
}

export type Asker = {
  readonly ids: Ids
  readonly reads: RecordStore
  readonly operator: number
}

export async function replay(
  { ids, reads, operator }: Asker,
  ask: PlaceAsk | SetsAsk,
  found: Replayable,
): Promise<Result<PlaceAnswer | SetsAnswer>> {
  const isOrder = 'side' in ask
  if (found.fingerprint !== fingerprintOf(ask) || (found.kind === 'ORDER') !== isOrder) {
    const transactionId = ask.transactionId ?? ''
    return refused({ code: 'ORDER_DUPLICATE_TRANSACTION', transactionId })
  }
  if (found.kind === 'SETS') {
    const { market, playerId } = found.sets
    const query = { operator, market, playerId, after: null, limit: positionsMax }
    const { rows } = await reads.positions(query)
    const inOrder = rows.toSorted((one, other) => one.outcome - other.outcome)
    return taken(setsAgain(ids, found.sets, inOrder))
  }
  const order = orderOfRow(ids, found.order)
  if (order.status === 'REJECTED') {
    const reject = refusedOrder(order.id, order.options.isPostOnly)
    return { isTaken: false, reject, isReplay: true }
  }
  const trades = await reads.placementTrades(found.order.serial)
  return taken({ order, trades: trades.map((trade) => tradeOfRow(ids, trade)), isReplay: true })
}
