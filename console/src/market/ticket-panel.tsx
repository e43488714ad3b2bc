// The order ticket, with a preview of the order's effect and cost.

import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { newTransactionId } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { grouped, money, price as priceText } from '../figures.ts'
import type { Book } from '../live/book.ts'
import { Problem, Segments, TextField, useSending } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { notify } from '../parts/toast.tsx'
import { useShortcuts } from '../shortcuts.ts'
import type { Market, OrderType, Outcome, Placement, Side } from '../wire.ts'
import { useCancelReason } from './cancel-reason.ts'
import {
  blankTicket,
  canBeByAmount,
  isByAmount,
  type OrderBy,
  type PickedPrice,
  playerId,
  type Ticket,
  tick,
  ticketBody,
  ticketFault,
  ticketVerb,
} from './ticket.ts'
import { TicketMax } from './ticket-max.tsx'
import { TicketOptions } from './ticket-options.tsx'
import { TicketPreview, usePreview } from './ticket-preview.tsx'

const sides = [
  ['BUY', 'Buy'],
  ['SELL', 'Sell'],
] as const
const types = [
  ['LIMIT', 'Limit'],
  ['MARKET', 'Market'],
] as const
const quantities = [
  ['SHARES', 'By shares'],
  ['AMOUNT', 'By amount'],
] as const
const sameOrderMs = 1_000
const usualPrice = 0.5
const countSteps = { step: 1, min: 1, max: 1_000_000_000, start: 100 }

type Props = {
  readonly market: Market
  readonly outcome: Outcome
  readonly picked: PickedPrice | null
  readonly book: Book | null
}

export function TicketPanel({ market, outcome, picked, book }: Props) {
  const [ticket, setTicket] = useState(blankTicket)
  const change = (changes: Partial<Ticket>) => setTicket((before) => ({ ...before, ...changes }))
  useEffect(() => {
    if (picked === null) return
    change({ type: 'LIMIT', price: priceText(picked.price) })
    focusFirstEmpty(form.current, 'price')
  }, [picked])
  useTicketKeys((side) => {
    change({ side })
    focusFirstEmpty(form.current, 'shares')
  })
  const noteId = useId()
  const form = useRef<HTMLFormElement>(null)
  const sending = useSending()
  const transactionId = useRef(newTransactionId())
  const repeats = useRepeats()
  const [placedId, setPlacedId] = useState<string | null>(null)
  const cancelReason = useCancelReason(placedId)
  const submit = (event: Event) => {
    event.preventDefault()
    const body = ticketBody(ticket, market, outcome)
    if (repeats.isRepeated(body)) return
    sending.send(async () => {
      const placed = await exchange().orders.place({
        ...body,
        transactionId: transactionId.current,
      })
      transactionId.current = newTransactionId()
      repeats.remember(body)
      setPlacedId(placed.order.id)
      notify(resultOf(placed, market))
    })
  }
  // A changed order gets a new transactionId; sending the same one again does not.
  useEffect(() => {
    transactionId.current = newTransactionId()
    sending.clear()
    setPlacedId(null)
  }, [ticket, outcome.id, playerId.value])
  const preview = usePreview({ ticket, market, outcome, version: book?.version })
  const isInvalid = ticketFault(ticket) !== null || preview.isInvalid
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // A key that is held down would place one order after another.
    if (event.repeat) event.preventDefault()
    else if (isInvalid && event.target instanceof HTMLInputElement) {
      focusFirstEmpty(form.current, 'shares')
    }
  }
  return (
    <Panel title="Order" kind="ticket order-ticket" tools={<span class="of">{outcome.name}</span>}>
      <form class="stack" ref={form} onSubmit={submit} onKeyDown={onKeyDown}>
        <Segments
          name="Side"
          kind="sides"
          choices={sides}
          value={ticket.side}
          onValue={(side: Side) => change({ side })}
        />
        <Segments
          name="Type"
          choices={types}
          value={ticket.type}
          onValue={(type: OrderType) => change({ type })}
        />
        <TicketFields
          ticket={ticket}
          change={change}
          book={book}
          market={market}
          outcome={outcome}
        />
        <TicketPreview
          of={preview}
          market={market}
          noteId={noteId}
          hasAmount={isByAmount(ticket)}
        />
        <TicketNotes error={sending.error} reason={cancelReason} isRepeated={repeats.isShown} />
        <button
          type="submit"
          class={`wide ${ticket.side === 'BUY' ? 'buy' : 'sell'}`}
          disabled={sending.isBusy || isInvalid}
          aria-describedby={noteId}
        >
          {ticketVerb(ticket, outcome)}
        </button>
      </form>
    </Panel>
  )
}

type NotesProps = {
  readonly error: unknown
  /** Why the rest of the last order was cancelled. */
  readonly reason: string | null
  readonly isRepeated: boolean
}

function TicketNotes({ error, reason, isRepeated }: NotesProps) {
  return (
    <>
      <Problem error={error} />
      {reason === null ? null : (
        <p class="note" role="status">
          {reason}
        </p>
      )}
      {isRepeated ? (
        <p class="note" role="status">
          This order was placed a moment ago. Press again to place it once more.
        </p>
      ) : null}
    </>
  )
}

type FieldsProps = {
  readonly ticket: Ticket
  readonly change: (changes: Partial<Ticket>) => void
  readonly market: Market
  readonly outcome: Outcome
  readonly book: Book | null
}

function TicketFields({ ticket, change, market, outcome, book }: FieldsProps) {
  const isLimit = ticket.type === 'LIMIT'
  const hasAmount = isByAmount(ticket)
  const [bid, ask] = [book?.bids[0]?.price, book?.asks[0]?.price]
  const best = (ticket.side === 'BUY' ? (ask ?? bid) : (bid ?? ask)) ?? usualPrice
  return (
    <>
      <TextField
        name="Player"
        value={playerId.value}
        onValue={(id) => {
          playerId.value = id
        }}
        mark="player"
      />
      {canBeByAmount(ticket) ? (
        <Segments
          name="Order by"
          choices={quantities}
          value={ticket.by}
          onValue={(by: OrderBy) => change({ by })}
        />
      ) : null}
      <div class="side-by-side">
        {hasAmount ? (
          <NumberField
            name={`Amount in ${market.currency}`}
            value={ticket.amount}
            onValue={(amount) => change({ amount })}
            mark="shares"
            placeholder="100"
            steps={countSteps}
          />
        ) : (
          <NumberField
            name="Shares"
            value={ticket.shares}
            onValue={(shares) => change({ shares })}
            mark="shares"
            placeholder="100"
            steps={countSteps}
          />
        )}
        {isLimit ? (
          <NumberField
            name="Price"
            max={1}
            value={ticket.price}
            onValue={(price) => change({ price })}
            mark="price"
            placeholder={priceText(best)}
            steps={{ step: tick, min: tick, max: 1 - tick, start: best }}
            show={priceText}
          />
        ) : (
          <div class="field">
            <span class="label">Price</span>
            <output class="as-field">Best available</output>
          </div>
        )}
      </div>
      {hasAmount ? (
        <p class="hint">The most that it spends, fees included.</p>
      ) : (
        <TicketMax
          ticket={ticket}
          market={market}
          outcome={outcome}
          book={book}
          onShares={(shares) => change({ shares })}
        />
      )}
      <TicketOptions ticket={ticket} change={change} />
    </>
  )
}

function useTicketKeys(onSide: (side: Side) => void): void {
  useShortcuts([
    { keys: 'b', description: 'Buy', act: () => onSide('BUY') },
    { keys: 's', description: 'Sell', act: () => onSide('SELL') },
  ])
}

/** The first field that is empty or faulty; if there is none, the one with this mark. */
function focusFirstEmpty(form: HTMLFormElement | null, otherwise: 'shares' | 'price'): void {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input[data-mark]') ?? [])]
  const isLeft = ({ value, ariaInvalid }: HTMLInputElement) =>
    value.trim() === '' || ariaInvalid === 'true'
  const field = fields.find(isLeft) ?? fields.find(({ dataset }) => dataset.mark === otherwise)
  field?.focus()
  field?.select()
}

/** Whether an order is the same as one placed within the last second, as by a double click. */
function useRepeats() {
  const placed = useRef<{ readonly text: string; readonly at: number } | null>(null)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setShown(false), sameOrderMs)
    return () => clearTimeout(timer)
  }, [isShown])
  return {
    isShown,
    isRepeated: (body: object) => {
      const last = placed.current
      const isSame = last?.text === JSON.stringify(body)
      const isRepeated = isSame && performance.now() - last.at < sameOrderMs
      setShown(isRepeated)
      return isRepeated
    },
    remember: (body: object) => {
      placed.current = { text: JSON.stringify(body), at: performance.now() }
    },
  }
}

function resultOf(placed: Placement, { currency }: Market): string {
  const { status, filledShares, avgFillPrice, remainingShares, spent, unspent } = placed
  if (status === 'PENDING')
    return `The order rests in the book: ${grouped(remainingShares)} shares.`
  if (filledShares === '0') return 'The order is closed. Nothing was traded.'
  const filled = `Traded ${grouped(filledShares)} shares at ${avgFillPrice} on average.`
  if (typeof spent === 'string' && typeof unspent === 'string') {
    return `${filled} Spent ${money(spent)} ${currency}; ${money(unspent)} ${currency} is left.`
  }
  return status === 'PARTIAL'
    ? `${filled} ${grouped(remainingShares)} shares rest in the book.`
    : filled
}
