// Live data of a market: prices and trades of all outcomes, and the book of one.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { TradeMessage } from '../../../client/src/outcry.ts'
import type { Prices } from '../wire.ts'
import type { Book } from './book.ts'
import { follow, stream } from './stream.ts'

export type PricesByOutcome = Readonly<Record<string, Prices>>

/** The current or last known book; null before the first snapshot. */
export function useBook(marketId: string, outcomeId: string, isVisible: boolean): Book | null {
  const [book, setBook] = useState<Book | null>(null)
  useEffect(() => {
    setBook(null)
    if (!isVisible) return
    const live = stream.peek()?.liveBook(marketId, outcomeId)
    live?.onChange(({ version, bids, asks }) => setBook({ version, bids, asks }))
    return () => live?.close()
  }, [marketId, outcomeId, isVisible])
  return book
}

/** The current prices of all outcomes of these markets. */
export function usePrices(marketIds: readonly string[]): PricesByOutcome {
  const [prices, setPrices] = useState<PricesByOutcome>({})
  const names = marketIds.join()
  useEffect(() => {
    const feed = names === '' ? null : stream.peek()?.prices({ marketIds: names.split(',') })
    if (feed === null || feed === undefined) return
    return follow(feed, (price) => setPrices((before) => ({ ...before, [price.outcomeId]: price })))
  }, [names])
  return prices
}

/** Every trade of a market from now on. */
export function useTrades(
  marketId: string,
  isVisible: boolean,
  onTrade: (trade: TradeMessage) => void,
): void {
  const latest = useRef(onTrade)
  latest.current = onTrade
  useEffect(() => {
    const feed = isVisible ? stream.peek()?.trades({ marketIds: [marketId] }) : undefined
    return feed === undefined ? undefined : follow(feed, (trade) => latest.current(trade))
  }, [marketId, isVisible])
}
