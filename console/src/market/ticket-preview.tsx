// What an order would do now: asked of the exchange itself, again whenever the book changes.

import { useEffect, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { explain } from '../explain.ts'
import { grouped, money } from '../figures.ts'
import { useCalm, useLoaded } from '../loaded.ts'
import type { Market, Outcome, Preview } from '../wire.ts'
import { playerId, type Ticket, ticketBody, ticketFault } from './ticket.ts'

const typingMs = 200
const bookMs = 800

type Props = {
  readonly ticket: Ticket
  readonly market: Market
  readonly outcome: Outcome
  /** Of the book, which decides what the order meets. */
  readonly version: number | undefined
}

export function TicketPreview({ ticket, market, outcome, version }: Props) {
  const isPossible = market.status === 'OPEN' && ticketFault(ticket) === null
  const body = JSON.stringify(ticketBody(ticket, market, outcome))
  const [asked, setAsked] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(isPossible ? body : null), typingMs)
    return () => clearTimeout(timer)
  }, [body, isPossible, playerId.value])
  const preview = useLoaded(
    () => (asked === null ? null : exchange().orders.preview(JSON.parse(asked))),
    [asked],
  )
  const { isMissing } = preview
  const again = useCalm(() => {
    if (!isMissing) preview.reload()
  }, bookMs)
  useEffect(() => {
    if (version !== undefined) again()
  }, [version, again])
  const shown = asked === null || preview.error !== null ? null : preview.data
  return (
    <div class="preview" aria-live="polite">
      <dl>
        <Line name="Trades at once" value={shown === null ? '–' : fillsOf(shown)} />
        <Line
          name="Rests in the book"
          value={shown === null ? '–' : grouped(shown.restingShares)}
        />
        <Line name="Cost" value={inMoney(shown?.cost, market)} />
        <Line name="Fee" value={inMoney(shown?.fee, market)} />
        <Line name="At most" value={inMoney(shown?.maxCost, market)} isMain />
      </dl>
      <p class="preview-note">{noteOf(asked, ticket, preview)}</p>
    </div>
  )
}

function Line({ name, value, isMain = false }: { name: string; value: string; isMain?: boolean }) {
  return (
    <div data-main={isMain ? 'yes' : undefined}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function fillsOf({ filledShares, avgFillPrice }: Preview): string {
  return filledShares === '0' ? '0' : `${grouped(filledShares)} at ${avgFillPrice}`
}

function inMoney(decimal: string | undefined, { currency }: Market): string {
  return decimal === undefined ? '–' : `${money(decimal)} ${currency}`
}

type PreviewState = { readonly error: unknown; readonly isMissing: boolean }

function noteOf(asked: string | null, ticket: Ticket, { error, isMissing }: PreviewState): string {
  if (asked === null) return ticketFault(ticket) ?? ''
  if (isMissing) return 'A preview is not available on this exchange.'
  if (error !== null) return explain(error)
  return 'At most: what the wallet must hold for it, fees included.'
}
