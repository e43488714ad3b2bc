// Previews the effect of an order; the exchange computes it again whenever the book changes.

import { useEffect, useState } from 'preact/hooks'
import { isOutcryError } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { explain } from '../explain.ts'
import { grouped, money } from '../figures.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import type { Market, Outcome, Preview } from '../wire.ts'
import { playerId, type Ticket, ticketBody, ticketFault } from './ticket.ts'

const typingMs = 200
const bookMs = 800
/** Rejections that depend on what is typed alone. */
const ofInput = ['ORDER_INVALID_PRICE', 'ORDER_INVALID_SHARES', 'VALIDATION_ERROR'] as const

type Props = {
  readonly ticket: Ticket
  readonly market: Market
  readonly outcome: Outcome
  /** Version of the book; a change triggers a new preview. */
  readonly version: number | undefined
}

export type TicketPreviewState = {
  readonly shown: Preview | null
  /** Why the ticket is no order, or what the exchange says to it. */
  readonly note: string
  /** The exchange would reject it whatever the book and the positions are. */
  readonly isInvalid: boolean
}

export function usePreview({ ticket, market, outcome, version }: Props): TicketPreviewState {
  const isPossible = market.status === 'OPEN' && ticketFault(ticket) === null
  const body = JSON.stringify(ticketBody(ticket, market, outcome))
  const [requested, setRequested] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setRequested(isPossible ? body : null), typingMs)
    return () => clearTimeout(timer)
  }, [body, isPossible, playerId.value])
  const preview = useLoaded(
    () => (requested === null ? null : exchange().orders.preview(JSON.parse(requested))),
    [requested],
  )
  const { isMissing } = preview
  const reload = useThrottled(() => {
    if (!isMissing) preview.reload()
  }, bookMs)
  useEffect(() => {
    if (version !== undefined) reload()
  }, [version, reload])
  const isCurrent = requested === body && isPossible
  return {
    shown: !isCurrent || preview.error !== null ? null : preview.data,
    note: noteOf(isCurrent, ticket, preview),
    isInvalid: isCurrent && isOutcryError(preview.error, ...ofInput),
  }
}

type ViewProps = {
  readonly of: TicketPreviewState
  readonly market: Market
  readonly noteId: string
  readonly hasAmount: boolean
}

export function TicketPreview({ of: { shown, note }, market, noteId, hasAmount }: ViewProps) {
  return (
    <div class="preview" aria-live="polite">
      <dl>
        <Line name="Trades at once" value={shown === null ? '–' : fillsOf(shown)} />
        {hasAmount ? (
          <Line name="Left of the amount" value={inMoney(shown?.unspent ?? undefined, market)} />
        ) : (
          <Line
            name="Rests in the book"
            value={shown === null ? '–' : grouped(shown.restingShares)}
          />
        )}
        <Line name="Cost" value={inMoney(shown?.cost, market)} />
        <Line name="Fee" value={inMoney(shown?.fee, market)} />
        <Line name="Maximum cost" value={inMoney(shown?.maxCost, market)} isMain />
      </dl>
      <p class="preview-note" id={noteId}>
        {note}
      </p>
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

function noteOf(isCurrent: boolean, ticket: Ticket, { error, isMissing }: PreviewState): string {
  if (!isCurrent) return ticketFault(ticket) ?? ''
  if (isMissing) return 'Previews are not available on this exchange.'
  if (error !== null) return explain(error)
  return 'The wallet must hold the maximum cost.'
}
