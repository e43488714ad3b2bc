// What a page hears about one market: prices and trades of all outcomes, and the book of one.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Prices } from '../wire.ts'
import { type Book, changed } from './book.ts'
import type { TradeMessage } from './said.ts'
import { askAgain, listen, type Wanted } from './stream.ts'

export type PricesByOutcome = Readonly<Record<string, Prices>>

/** The book, kept by version; null until it is known. */
export function useBook(marketId: string, outcomeId: string, isVisible: boolean): Book | null {
  const [book, setBook] = useState<Book | null>(null)
  useEffect(() => {
    setBook(null)
    if (!isVisible) return
    let kept: Book | null = null
    const wanted: Wanted = {
      channels: ['orderbook'],
      marketIds: [marketId],
      outcomeIds: [outcomeId],
    }
    const keep = (next: Book | null) => {
      kept = next
      if (next === null) askAgain(wanted)
      else setBook(next)
    }
    return listen((said) => {
      if (said.type === 'orderbook.snapshot' && said.outcomeId === outcomeId) keep(said)
      else if (said.type === 'orderbook.update' && said.outcomeId === outcomeId) {
        if (kept !== null) keep(changed(kept, said))
      } else if (said.type === 'heartbeat') {
        const there = said.books.find((each) => each.outcomeId === outcomeId)
        if (kept !== null && there !== undefined && there.version > kept.version) keep(null)
      }
    }, wanted)
  }, [marketId, outcomeId, isVisible])
  return book
}

/** Prices of all outcomes, and every trade to whoever wants to hear it. */
export function usePrices(
  marketIds: readonly string[],
  onTrade: ((trade: TradeMessage) => void) | null = null,
): PricesByOutcome {
  const [prices, setPrices] = useState<PricesByOutcome>({})
  const hear = useRef(onTrade)
  hear.current = onTrade
  const names = marketIds.join()
  const withTrades = onTrade !== null
  useEffect(() => {
    if (names === '') return
    const wanted: Wanted = {
      channels: withTrades ? ['prices', 'trades'] : ['prices'],
      marketIds: names.split(','),
    }
    return listen((said) => {
      if (said.type === 'trade') hear.current?.(said)
      if (said.type !== 'price') return
      setPrices((before) => ({ ...before, [said.outcomeId]: said }))
    }, wanted)
  }, [names, withTrades])
  return prices
}
