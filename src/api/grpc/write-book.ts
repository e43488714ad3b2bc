// A book as an encoded message, which all callers with the same query share.

import type { DepthLevel } from '../../core/book/depth.ts'
import type { BookAnswer } from '../../engine/commands.ts'
import { priceText, sharesText } from '../present/quantity.ts'
import { timeText } from '../present/time.ts'
import { OrderBook, type PriceLevel } from './generated/outcry/v1/outcry.ts'

export function bookBytes(book: BookAnswer): Buffer {
  const { bids, asks } = book.withImplied ?? book
  const [bid] = book.bids
  const [ask] = book.asks
  const bytes = OrderBook.encode({
    marketId: book.marketId,
    outcomeId: book.outcomeId,
    bids: bids.map(levelMessage),
    asks: asks.map(levelMessage),
    bestBid: bid && priceText(bid.price),
    bestAsk: ask && priceText(ask.price),
    spread: bid && ask && priceText(ask.price - bid.price),
    version: book.version,
    timestamp: timeText(book.timestamp),
  }).finish()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function levelMessage({ price, shares, orderCount, isImplied }: DepthLevel): PriceLevel {
  const implied = isImplied === true
  return { price: priceText(price), shares: sharesText(shares), orderCount, implied }
}
