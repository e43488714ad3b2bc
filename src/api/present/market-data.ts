// Books, prices, candles and the tape as they are on the wire: plain numbers.

import type { DepthLevel } from '../../core/book/depth.ts'
import { wirePricesOf } from '../../core/events/wire-prices.ts'
import { decimals, numberOf } from '../../core/money.ts'
import type { BookAnswer, PricesAnswer } from '../../engine/commands.ts'
import type { CandleRow, TapeRow } from '../../store/store.ts'
import type * as wire from '../schemas/market-data.ts'

export function presentBook(book: BookAnswer): wire.OrderBook {
  const { bids, asks } = book.withImplied ?? book
  const [bestBid = null] = book.bids
  const [bestAsk = null] = book.asks
  const hasBoth = bestBid !== null && bestAsk !== null
  return {
    marketId: book.marketId,
    outcomeId: book.outcomeId,
    bids: bids.map(presentLevel),
    asks: asks.map(presentLevel),
    bestBid: bestBid === null ? null : priceNumber(bestBid.price),
    bestAsk: bestAsk === null ? null : priceNumber(bestAsk.price),
    spread: hasBoth ? priceNumber(bestAsk.price - bestBid.price) : null,
    version: book.version,
    timestamp: book.timestamp,
  }
}

export function presentPrices(prices: PricesAnswer[number]): wire.OutcomePrice {
  return {
    marketId: prices.marketId,
    outcomeId: prices.outcomeId,
    outcomeName: prices.outcomeName,
    ...wirePricesOf(prices),
    volume24h: numberOf(prices.volume24h, decimals.shares),
  }
}

export function presentCandle(candle: CandleRow): wire.Candle {
  return {
    time: candle.time,
    open: priceNumber(candle.open),
    high: priceNumber(candle.high),
    low: priceNumber(candle.low),
    close: priceNumber(candle.close),
    volume: numberOf(candle.shares, decimals.shares),
    trades: candle.trades,
  }
}

export function presentPublicTrade(trade: TapeRow): wire.PublicTrade {
  return {
    price: priceNumber(trade.price),
    shares: numberOf(trade.shares, decimals.shares),
    takerSide: trade.takerSide,
    timestamp: trade.createdAt,
  }
}

function presentLevel({ price, shares, orderCount, isImplied }: DepthLevel) {
  const level = {
    price: priceNumber(price),
    shares: numberOf(shares, decimals.shares),
    orderCount,
  }
  return isImplied === true ? { ...level, implied: true } : level
}

export function priceNumber(ticks: number): number {
  return numberOf(ticks, decimals.price)
}
