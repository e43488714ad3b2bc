// The messages of the stream as frames.

import type { PublicTrade } from '../../core/events/committed-turn.ts'
import type { OrderBookUpdate, PriceUpdated } from '../../core/events/event-payload.ts'
import type { Event } from '../../core/events/events.ts'
import { wirePricesOf } from '../../core/events/wire-prices.ts'
import { decimals, numberOf } from '../../core/money.ts'
import type { BookAnswer, PricesAnswer } from '../../engine/commands.ts'
import type { Encoders } from '../../feed/outbox.ts'
import { presentEvent } from '../present/event.ts'
import { presentBook } from '../present/market-data.ts'
import { textFrame } from './frame.ts'
import type * as server from './server-messages.ts'

/** The compiler checks the message against its schema. */
export function frameOf(message: server.Message): Buffer {
  return textFrame(message)
}

export function encodersOf(retentionMs: number): Encoders {
  return {
    book: updateFrame,
    price: priceFrame,
    trade: tradeFrame,
    event: (event) => eventFrame(event, retentionMs),
  }
}

export function snapshotFrame(answer: BookAnswer): Buffer {
  const { marketId, outcomeId, version, ...book } = presentBook(answer)
  return frameOf({ type: 'orderbook.snapshot', marketId, outcomeId, version, ...book })
}

function updateFrame(update: OrderBookUpdate): Buffer {
  return frameOf({
    type: 'orderbook.update',
    ...update,
    bids: [...update.bids],
    asks: [...update.asks],
  })
}

function priceFrame(prices: PriceUpdated): Buffer {
  const { marketId, outcomeId, bestBid, bestAsk, lastPrice, midPrice, spread, timestamp } = prices
  const shown = { bestBid, bestAsk, lastPrice, midPrice, spread }
  return frameOf({ type: 'price', marketId, outcomeId, ...shown, timestamp })
}

/** The current prices, in the form of a change. */
export function priceSnapshotFrame(prices: PricesAnswer[number], timestamp: number): Buffer {
  const { marketId, outcomeId } = prices
  return priceFrame({ marketId, outcomeId, ...wirePricesOf(prices), timestamp })
}

function tradeFrame({ marketId, outcomeId, isSellIncoming, createdAt, ...trade }: PublicTrade) {
  return frameOf({
    type: 'trade',
    marketId,
    outcomeId,
    price: numberOf(trade.price, decimals.price),
    shares: numberOf(trade.shares, decimals.shares),
    takerSide: isSellIncoming ? 'SELL' : 'BUY',
    timestamp: createdAt,
  })
}

export function eventFrame(event: Event, retentionMs: number): Buffer {
  return frameOf({ type: 'event', event: presentEvent(event, retentionMs) })
}
