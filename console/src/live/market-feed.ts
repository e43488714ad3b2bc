// Live data of a market: prices and trades of all outcomes, and the book of one.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Feed, TradeMessage } from '../../../client/src/outcry.ts'
import type { Prices } from '../wire.ts'
import type { Book } from './book.ts'
import { frames } from './browser-frames.ts'
import { follow, stream } from './stream.ts'

export type PricesByOutcome = Readonly<Record<string, Prices>>

/** The current or last known book; null before the first snapshot. */
export function useBook(marketId: string, outcomeId: string, isVisible: boolean): Book | null {
  const [book, setBook] = useState<Book | null>(null)
  useEffect(() => {
    setBook(null)
    if (!isVisible) return
    const live = stream.peek()?.liveBook(marketId, outcomeId)
    if (live === undefined) return
    let isShown = true
    const show = () => {
      const { version, bids, asks } = live
      if (isShown) setBook({ version, bids, asks })
    }
    live.onChange(() => frames.next(show))
    return () => {
      isShown = false
      live.close()
    }
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
    return followGathered(feed, (latest) => {
      const changed = Object.fromEntries(latest.map((price) => [price.outcomeId, price]))
      setPrices((before) => ({ ...before, ...changed }))
    })
  }, [names])
  return prices
}

/** Every trade of a market from now on, oldest first; those of a frame together. */
export function useTrades(
  marketId: string,
  isVisible: boolean,
  onTrades: (trades: readonly TradeMessage[]) => void,
): void {
  const latest = useRef(onTrades)
  latest.current = onTrades
  useEffect(() => {
    const feed = isVisible ? stream.peek()?.trades({ marketIds: [marketId] }) : undefined
    return feed === undefined ? undefined : followGathered(feed, (trades) => latest.current(trades))
  }, [marketId, isVisible])
}

function followGathered<Item>(feed: Feed<Item>, onItems: (items: readonly Item[]) => void) {
  const gathering = frames.gather(onItems)
  const end = follow(feed, gathering.add)
  return () => {
    gathering.end()
    end()
  }
}
