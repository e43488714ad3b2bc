// The largest number of shares that makes sense: what the player can sell, or what is on offer.

import { useEffect, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { shares as sharesText } from '../figures.ts'
import type { Book } from '../live/book.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { readNumber } from '../typed-number.ts'
import type { Market, Outcome, Position } from '../wire.ts'
import { playerId, type Ticket } from './ticket.ts'

const typingMs = 250
const reloadMs = 500

type Props = {
  readonly ticket: Ticket
  readonly market: Market
  readonly outcome: Outcome
  readonly book: Book | null
  readonly onShares: (shares: string) => void
}

export function TicketMax({ ticket, market, outcome, book, onShares }: Props) {
  const isSell = ticket.side === 'SELL'
  const free = useFreeShares(market, outcome, isSell)
  const most = isSell ? free : onOffer(ticket, book)
  if (most === null) return null
  const words = isSell ? 'can be sold' : 'on offer'
  if (most === 0) return <p class="hint">No shares {words}.</p>
  return (
    <button type="button" class="small fit" onClick={() => onShares(String(most))}>
      Max: {sharesText(most)} {words}
    </button>
  )
}

/** Shares without those that other SELL orders reserve; null until known. */
function useFreeShares(market: Market, outcome: Outcome, isWanted: boolean): number | null {
  const [player, setPlayer] = useState('')
  const typed = playerId.value.trim()
  useEffect(() => {
    const timer = setTimeout(() => setPlayer(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const isNeeded = isWanted && player !== ''
  const positions = useLoaded(
    () => (isNeeded ? exchange().positions.list({ marketId: market.id, playerId: player }) : null),
    [market.id, player, isNeeded],
  )
  const reload = useThrottled(positions.reload, reloadMs)
  useEvents((event) => {
    if (isNeeded && (event === null || event.marketId === market.id)) reload()
  })
  if (!isNeeded || player !== typed || positions.data === null) return null
  const held = positions.data.find(({ outcomeId }) => outcomeId === outcome.id)
  return held === undefined ? 0 : freeOf(held)
}

/** In whole steps of 0.01, so that the difference is exact. */
function freeOf({ shares, reservedShares }: Position): number {
  return Math.round(Number(shares) * 100 - Number(reservedShares) * 100) / 100
}

/** What a BUY order could trade at once, at its price if it has one. */
function onOffer({ type, price }: Ticket, book: Book | null): number | null {
  if (book === null || book.asks.length === 0) return null
  const limit = type === 'MARKET' ? 1 : readNumber(price, { max: 1 }).value
  if (limit === null) return null
  const steps = book.asks
    .filter((ask) => ask.price <= limit)
    .reduce((sum, { shares }) => sum + Math.round(shares * 100), 0)
  return steps === 0 ? null : steps / 100
}
