// A command whose transactionId was used before: if it is the same command, it is answered from the
// store; a different one is rejected.

import { answerTradesMax, type OrderAnswer } from '../../core/events/answer.ts'
import { isKeyInUse } from '../../core/idempotency.ts'
import type { Ids } from '../../core/ids.ts'
import type { RejectedOrderCode } from '../../core/reject.ts'
import type { RecordStore, Replayable } from '../../store/store.ts'
import type { KeyedCommand, PlaceAnswer, Result, SetsAnswer } from '../commands.ts'
import { costOfReplay } from '../cost.ts'
import { accepted, rejected } from '../execute.ts'
import { setsAgain } from '../sets-answer.ts'
import { orderOfRow, tradeOfRow } from './stored-answers.ts'
import { hashOfTexts } from './used-keys.ts'

/** More outcomes than a market may have. */
const positionsMax = 1_000

/** A hash of the command's values. Two commands with the same transactionId must agree in it. */
export function fingerprintOf(command: KeyedCommand): number {
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
  // Left out if there are none: fingerprints stored before these existed stay valid.
  const options = 'side' in command && command.options !== 0 ? [command.options] : []
  const group =
    'side' in command && command.orderGroupSerial != null
      ? [`group ${command.orderGroupSerial}`]
      : []
  const amount = 'amount' in command ? [`amount ${command.amount}`] : []
  return hashOfTexts([...common, ...own, ...options, ...group, ...amount].map(String))
}

/** Whether the transactionId of a stored request is still in use. */
export function isReplayable(found: Replayable, now: number): boolean {
  const { createdAt } = found.kind === 'ORDER' ? found.order : found.sets
  return isKeyInUse({ createdAt, marketStatus: found.marketStatus }, now)
}

export type ReplaySource = {
  readonly ids: Ids
  readonly reads: RecordStore
  readonly operatorNumber: number
}

// Why an order was rejected that was stored as REJECTED.
function rejectedFor({ options }: OrderAnswer, isOutsideBand: boolean): RejectedOrderCode {
  if (isOutsideBand) return 'ORDER_OUTSIDE_BAND'
  return options.isPostOnly ? 'ORDER_WOULD_MATCH' : 'ORDER_NO_LIQUIDITY'
}

export async function replay(
  { ids, reads, operatorNumber }: ReplaySource,
  command: KeyedCommand,
  found: Replayable,
): Promise<Result<PlaceAnswer | SetsAnswer>> {
  const isOrder = 'side' in command
  if (found.fingerprint !== fingerprintOf(command) || (found.kind === 'ORDER') !== isOrder) {
    const transactionId = command.transactionId ?? ''
    return rejected({ code: 'ORDER_DUPLICATE_TRANSACTION', transactionId })
  }
  if (found.kind === 'SETS') {
    const { marketSerial, playerId } = found.sets
    const query = {
      operatorNumber,
      marketSerial,
      playerId,
      after: null,
      limit: positionsMax,
    }
    const { rows } = await reads.positions(query)
    const inOrder = rows.toSorted((one, other) => one.outcomeSerial - other.outcomeSerial)
    return accepted(setsAgain(ids, found.sets, inOrder))
  }
  const order = orderOfRow(ids, found.order)
  if (order.status === 'REJECTED') {
    const reject = { code: rejectedFor(order, found.isOutsideBand), orderId: order.id }
    return { isAccepted: false, reject, isReplay: true }
  }
  const query = { orderSerial: found.order.serial, limit: answerTradesMax + 1 }
  const rows = order.filled === 0 ? [] : await reads.placementTrades(query, operatorNumber)
  const trades = rows.slice(0, answerTradesMax).map((row) => tradeOfRow(ids, row))
  const hasMoreTrades = rows.length > trades.length
  return {
    ...accepted({ order, trades, hasMoreTrades, isReplay: true }),
    cost: costOfReplay(trades.length),
  }
}
