// A row of an open order. While the order is amended, its price and shares are fields: Enter saves,
// Escape discards.

import { useEffect, useRef, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { ConsoleError, explain } from '../explain.ts'
import { grouped, price as priceText, timeOfDay } from '../figures.ts'
import { can } from '../identity.ts'
import { Price } from '../parts/figure.tsx'
import { Problem, useSending } from '../parts/form.tsx'
import { PlayerLink } from '../parts/player-link.tsx'
import { Status } from '../parts/status.tsx'
import { notify } from '../parts/toast.tsx'
import { numberOf, readNumber } from '../typed-number.ts'
import type { Market, Order } from '../wire.ts'

type Props = {
  readonly order: Order
  readonly market: Market
  readonly onChanged: () => void
}

export function OrderRow({ order, market, onChanged }: Props) {
  const [isAmending, setAmending] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasAmending = useRef(false)
  useEffect(() => {
    if (wasAmending.current && !isAmending) button.current?.focus()
    wasAmending.current = isAmending
  }, [isAmending])
  const { sending, cancel } = useCancel(order, onChanged)
  if (isAmending) {
    return (
      <AmendRow
        order={order}
        market={market}
        onChanged={onChanged}
        onClose={() => setAmending(false)}
      />
    )
  }
  const about = ` the order of ${order.playerId} for ${order.shares} ${nameOf(order, market)}`
  return (
    <tr>
      <OwnerCells order={order} market={market} />
      <td class="number">
        <Price value={order.price === null ? null : Number(order.price)} />
      </td>
      <td class="number">{grouped(order.remainingShares)}</td>
      <StateCells order={order} />
      {can('trade') ? (
        <td class="number">
          {market.status === 'OPEN' ? (
            <button
              type="button"
              class="quiet small"
              ref={button}
              disabled={sending.isBusy}
              onClick={() => setAmending(true)}
            >
              Amend<span class="unseen">{about}</span>
            </button>
          ) : null}
          <button type="button" class="quiet small" disabled={sending.isBusy} onClick={cancel}>
            Cancel<span class="unseen">{about}</span>
          </button>
        </td>
      ) : null}
    </tr>
  )
}

function useCancel(order: Order, onChanged: () => void) {
  const sending = useSending()
  const cancel = () =>
    sending.send(async () => {
      try {
        await exchange().orders.cancel(order.id)
        notify('The order is cancelled.')
      } catch (error) {
        notify(explain(error))
      }
      onChanged()
    })
  return { sending, cancel }
}

function AmendRow({ order, market, onChanged, onClose }: Props & { readonly onClose: () => void }) {
  const [price, setPrice] = useState(order.price ?? '')
  const [remaining, setRemaining] = useState(order.remainingShares)
  const { isBusy, error, send } = useSending()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.select(), [])
  const save = () =>
    send(async () => {
      await exchange().orders.amend(order.id, changesOf(order, price, remaining))
      notify('The order is amended.')
      onChanged()
      onClose()
    })
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') save()
    else if (key === 'Escape') onClose()
  }
  const typed = [readNumber(price, { max: 1 }), readNumber(remaining)] as const
  const fault = typed[0].fault ?? typed[1].fault
  const field = { type: 'text', inputMode: 'decimal', autocomplete: 'off', onKeyDown } as const
  return (
    <>
      <tr data-chosen="yes">
        <OwnerCells order={order} market={market} />
        <td class="number amended">
          <input
            {...field}
            ref={first}
            aria-label="New price"
            aria-invalid={typed[0].fault !== null}
            value={price}
            onInput={({ currentTarget }) => setPrice(currentTarget.value)}
          />
        </td>
        <td class="number amended">
          <input
            {...field}
            aria-label="Remaining shares"
            aria-invalid={typed[1].fault !== null}
            value={remaining}
            onInput={({ currentTarget }) => setRemaining(currentTarget.value)}
          />
        </td>
        <StateCells order={order} />
        <td class="number">
          <button
            type="button"
            class="primary small"
            disabled={isBusy || fault !== null}
            onClick={save}
          >
            {amendVerb(typed[0].value, typed[1].value)}
          </button>
          <button type="button" class="quiet small" onClick={onClose}>
            Discard
          </button>
        </td>
      </tr>
      {error === null && fault === null ? null : (
        <tr>
          <td colSpan={9}>
            <Problem error={fault ?? error} />
          </td>
        </tr>
      )}
    </>
  )
}

/** With the numbers as they were read. */
function amendVerb(price: number | null, remaining: number | null): string {
  if (price === null || remaining === null) return 'Save'
  return `Save ${grouped(String(remaining))} at ${priceText(price)}`
}

/** Amends the total shares: what is filled meanwhile counts towards it. */
function changesOf(order: Order, price: string, remaining: string) {
  const [newPrice, shares] = [numberOf(price, { max: 1 }), numberOf(remaining)]
  if (newPrice === null || shares === null)
    throw new ConsoleError('Enter a price and a number of shares.')
  // In whole steps of 0.01, so that the sum is exact.
  const total = (Math.round(Number(order.filledShares) * 100) + shares * 100) / 100
  return { price: newPrice, shares: total }
}

function OwnerCells({ order, market }: { order: Order; market: Market }) {
  const [side, shade] = order.side === 'BUY' ? ['Buy', 'bid'] : ['Sell', 'ask']
  return (
    <>
      <th scope="row">
        <PlayerLink id={order.playerId} />
        <small>
          <span class="narrow-only">
            <span class={shade}>{side}</span> {nameOf(order, market)}
          </span>
        </small>
      </th>
      <td class={`${shade} wide-only`}>{side}</td>
      <td class="wide-only">{nameOf(order, market)}</td>
    </>
  )
}

function StateCells({ order }: { order: Order }) {
  return (
    <>
      <td class="number wide-only">{grouped(order.filledShares)}</td>
      <td class="wide-only">
        <Status of={order.status} />
      </td>
      <td class="wide-only">{timeOfDay(order.createdAt)}</td>
    </>
  )
}

function nameOf({ outcomeId }: Order, { outcomes }: Market): string {
  return outcomes.find(({ id }) => id === outcomeId)?.name ?? ''
}
