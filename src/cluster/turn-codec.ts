// A committed turn as it is sent to a node: what matches the interests of that node, as tuples.

import type { PublicTrade, PublishedRecord, PublishedTurn } from '../core/events/committed-turn.ts'
import type { StoredEventRecord } from '../core/events/events.ts'
import type { Serial } from '../core/ids.ts'
import type { TurnMessage } from './link/messages.ts'

type RecordTuple = readonly [
  marketId: string | null,
  types: number,
  operatorId: string,
  marketSerial: number,
  marketCreatedAt: number,
  firstSequence: number,
  createdAt: number,
  body: StoredEventRecord['body'],
]

type TradeTuple = readonly [
  serial: number,
  marketId: string,
  outcomeId: string,
  price: number,
  shares: number,
  isSellIncoming: 0 | 1,
  createdAt: number,
]

export function encodeTurn(shard: number, { records, trades }: PublishedTurn): TurnMessage {
  return { shard, records: records.map(recordTuple), trades: trades.map(tradeTuple) }
}

export function decodeTurn({ records, trades }: TurnMessage): PublishedTurn {
  return {
    records: (records as readonly RecordTuple[]).map(recordOf),
    trades: (trades as readonly TradeTuple[]).map(tradeOf),
  }
}

function recordTuple({ marketId, types, stored }: PublishedRecord): RecordTuple {
  const { operatorId, marketSerial, marketCreatedAt, firstSequence, createdAt, body } = stored
  const market = [marketSerial, marketCreatedAt] as const
  return [marketId, types, operatorId, ...market, firstSequence, createdAt, body]
}

function recordOf(tuple: RecordTuple): PublishedRecord {
  const [marketId, types, operatorId, marketSerial, marketCreatedAt, ...rest] = tuple
  const [firstSequence, createdAt, body] = rest
  const market = { marketSerial: marketSerial as Serial, marketCreatedAt }
  return { marketId, types, stored: { operatorId, ...market, firstSequence, createdAt, body } }
}

function tradeTuple(trade: PublicTrade): TradeTuple {
  const { serial, marketId, outcomeId, price, shares, isSellIncoming, createdAt } = trade
  return [serial, marketId, outcomeId, price, shares, isSellIncoming ? 1 : 0, createdAt]
}

function tradeOf(tuple: TradeTuple): PublicTrade {
  const [serial, marketId, outcomeId, price, shares, sell, createdAt] = tuple
  const isSellIncoming = sell === 1
  return { serial: serial as Serial, marketId, outcomeId, price, shares, isSellIncoming, createdAt }
}
