// The order ticket, with a preview of the order's effect and cost.

import { useEffect, useRef, useState } from 'preact/hooks'
import { newTransactionId } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { grouped, price as priceText } from '../figures.ts'
import type { Book } from '../live/book.ts'
import { Problem, Segments, TextField, useSending } from '../parts/form.tsx'
import { Panel } from '../parts/panel.tsx'
import { notify } from '../parts/toast.tsx'
import { useShortcuts } from '../shortcuts.ts'
import type { Market, OrderType, Outcome, Placement, Side } from '../wire.ts'
import {
  blankTicket,
  type PickedPrice,
  playerId,
  type Ticket,
  ticketBody,
  ticketFault,
} from './ticket.ts'
import { TicketOptions } from './ticket-options.tsx'
import { TicketPreview } from './ticket-preview.tsx'

const sides = [
  ['BUY', 'Buy'],
  ['SELL', 'Sell'],
] as const
const types = [
  ['LIMIT', 'Limit'],
  ['MARKET', 'Market'],
] as const
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
    if (picked !== null) change({ type: 'LIMIT', price: priceText(picked.price) })
  }, [picked])
  useTicketKeys((side) => change({ side }))
  const sending = useSending()
  const transactionId = useRef(newTransactionId())
  const submit = (event: Event) => {
    event.preventDefault()
    sending.send(async () => {
      const body = ticketBody(ticket, market, outcome)
      const placed = await exchange().orders.place({
        ...body,
        transactionId: transactionId.current,
      })
      transactionId.current = newTransactionId()
      notify(resultOf(placed))
    })
  }
  // A changed order gets a new transactionId; sending the same one again does not.
  useEffect(() => {
    transactionId.current = newTransactionId()
    sending.clear()
  }, [ticket, outcome.id, playerId.value])
  const isOpen = market.status === 'OPEN'
  const verb = ticket.side === 'BUY' ? 'Buy' : 'Sell'
  return (
    <Panel title="Order" kind="ticket order-ticket" tools={<span class="of">{outcome.name}</span>}>
      <form class="stack" onSubmit={submit}>
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
        <TicketFields ticket={ticket} change={change} book={book} />
        <TicketPreview ticket={ticket} market={market} outcome={outcome} version={book?.version} />
        <Problem error={sending.error} />
        <button
          type="submit"
          class={`wide ${ticket.side === 'BUY' ? 'buy' : 'sell'}`}
          disabled={!isOpen || sending.isBusy || ticketFault(ticket) !== null}
        >
          {isOpen ? `${verb} ${outcome.name}` : 'Not open for orders'}
        </button>
      </form>
    </Panel>
  )
}

type FieldsProps = {
  readonly ticket: Ticket
  readonly change: (changes: Partial<Ticket>) => void
  readonly book: Book | null
}

function TicketFields({ ticket, change, book }: FieldsProps) {
  const isLimit = ticket.type === 'LIMIT'
  const best = ticket.side === 'BUY' ? book?.asks[0] : book?.bids[0]
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
      <div class="side-by-side">
        <TextField
          name="Shares"
          type="number"
          value={ticket.shares}
          onValue={(shares) => change({ shares })}
          mark="shares"
          placeholder="100"
        />
        {isLimit ? (
          <TextField
            name="Price"
            type="number"
            value={ticket.price}
            onValue={(price) => change({ price })}
            placeholder={best === undefined ? '0.50' : priceText(best.price)}
          />
        ) : (
          <div class="field">
            <span class="label">Price</span>
            <output class="as-field">Best available</output>
          </div>
        )}
      </div>
      <TicketOptions ticket={ticket} change={change} />
    </>
  )
}

function useTicketKeys(onSide: (side: Side) => void): void {
  const start = (side: Side) => () => {
    onSide(side)
    document.querySelector<HTMLInputElement>('[data-mark=shares]')?.focus()
  }
  useShortcuts([
    { keys: 'b', description: 'Buy', act: start('BUY') },
    { keys: 's', description: 'Sell', act: start('SELL') },
  ])
}

function resultOf({ status, filledShares, avgFillPrice, remainingShares }: Placement): string {
  if (status === 'PENDING')
    return `The order rests in the book: ${grouped(remainingShares)} shares.`
  if (filledShares === '0') return 'The order is closed. Nothing was traded.'
  const filled = `Traded ${grouped(filledShares)} shares at ${avgFillPrice} on average.`
  return status === 'PARTIAL'
    ? `${filled} ${grouped(remainingShares)} shares rest in the book.`
    : filled
}
