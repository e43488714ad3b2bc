// A request that comes again under its transactionId: the same one is answered from what is
// stored, another one is refused.

import type { Ids } from '../../core/ids.ts'
import { refusedOrder } from '../../core/reject.ts'
import type { RecordStore, Replayable } from '../../store/store.ts'
import type { ChangeSets, PlaceAnswer, PlaceOrder, Result, SetsAnswer } from '../commands.ts'
import { accepted, refused } from '../execute.ts'
import { setsAgain } from '../sets-answer.ts'
import { orderOfRow, tradeOfRow } from './stored-answers.ts'
import { hashOfTexts } from './used-keys.ts'

const dayMs = 24 * 60 * 60 * 1_000
/** More outcomes than a market may have. */
const positionsMax = 1_000

/** What was asked, whatever it was written like. */
export function fingerprintOf(command: PlaceOrder | ChangeSets): number {
  const common = [command.marketSerial, command.playerId, command.shares]
  const own =
    'side' in command
      ? [
          command.outcomeSerial,
          command.side,
          command.type,
          command.type === 'LIMIT' ? command.price : null,
          command.expiresAt,
        ]
      : [command.kind]
  // Left out where there are none: requests from before there were options keep their fingerprint.
  const options = 'side' in command && command.options !== 0 ? [command.options] : []
  return hashOfTexts([...common, ...own, ...options].map(String))
}

/** A key stays used while its market lives, and for a day at least. */
export function isInForce({ marketStatus, ...found }: Replayable, now: number): boolean {
  if (marketStatus !== 'SETTLED' && marketStatus !== 'CANCELLED') return true
  const { createdAt } = found.kind === 'ORDER' ? found.order : found.sets
  return createdAt > now - dayMs
}

export type ReplaySource = {
  readonly ids: Ids
  readonly reads: RecordStore
  readonly operator: number
}

export async function replay(
  { ids, reads, operator }: ReplaySource,
  command: PlaceOrder | ChangeSets,
  found: Replayable,
): Promise<Result<PlaceAnswer | SetsAnswer>> {
  const isOrder = 'side' in command
  if (found.fingerprint !== fingerprintOf(command) || (found.kind === 'ORDER') !== isOrder) {
    const transactionId = command.transactionId ?? ''
    return refused({ code: 'ORDER_DUPLICATE_TRANSACTION', transactionId })
  }
  if (found.kind === 'SETS') {
    const { market, playerId } = found.sets
    const query = { operator, market, playerId, after: null, limit: positionsMax }
    const { rows } = await reads.positions(query)
    const inOrder = rows.toSorted((one, other) => one.outcome - other.outcome)
    return accepted(setsAgain(ids, found.sets, inOrder))
  }
  const order = orderOfRow(ids, found.order)
  if (order.status === 'REJECTED') {
    const reject = refusedOrder(order.id, order.options.isPostOnly)
    return { isAccepted: false, reject, isReplay: true }
  }
  const trades = await reads.placementTrades(found.order.serial)
  return accepted({ order, trades: trades.map((trade) => tradeOfRow(ids, trade)), isReplay: true })
}
