// Open orders of a market, each with a way to cancel it.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { explain } from '../explain.ts'
import { grouped, timeOfDay } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import { useCalm, useLoaded } from '../loaded.ts'
import { Price } from '../parts/figure.tsx'
import { Heads } from '../parts/heads.tsx'
import { Instead, Nothing } from '../parts/panel.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import { Status } from '../parts/status.tsx'
import { tell } from '../parts/toast.tsx'
import type { Market, Order } from '../wire.ts'

const shownMax = 100
const reloadMs = 250

export function OpenOrders({ market }: { market: Market }) {
  const asked = { marketId: market.id, status: 'PENDING,PARTIAL', limit: shownMax }
  const page = useLoaded(() => exchange().orders.list(asked), [market.id])
  const reload = useCalm(page.reload, reloadMs)
  useEvents((event) => {
    const isOurs = event === null || event.marketId === market.id
    if (isOurs && (event === null || event.eventType.startsWith('ORDER_'))) reload()
  })
  if (page.data === null) return <Instead of={page} what="Orders" />
  if (page.data.orders.length === 0) return <Nothing>No open orders.</Nothing>
  return (
    <Scroller name="Open orders">
      <table class="table compact">
        <Heads
          columns={[
            'Player',
            'Side',
            'Outcome',
            ['Price', 'number'],
            ['Remaining', 'number'],
            ['Filled', 'number wide-only'],
            ['State', 'wide-only'],
            ['Placed', 'wide-only'],
            ['Cancel', 'action'],
          ]}
        />
        <tbody>
          {page.data.orders.map((order) => (
            <OrderRow key={order.id} order={order} market={market} onCancelled={page.reload} />
          ))}
        </tbody>
      </table>
      <Latest page={page.data} count={shownMax} />
    </Scroller>
  )
}

type RowProps = {
  readonly order: Order
  readonly market: Market
  readonly onCancelled: () => void
}

function OrderRow({ order, market, onCancelled }: RowProps) {
  const [isBusy, setBusy] = useState(false)
  const outcome = market.outcomes.find(({ id }) => id === order.outcomeId)
  const cancel = async () => {
    setBusy(true)
    try {
      await exchange().orders.cancel(order.id)
      tell('The order is cancelled.')
    } catch (error) {
      tell(explain(error))
      setBusy(false)
    }
    onCancelled()
  }
  return (
    <tr>
      <th scope="row">{order.playerId}</th>
      <td class={order.side === 'BUY' ? 'bid' : 'ask'}>{order.side === 'BUY' ? 'Buy' : 'Sell'}</td>
      <td>{outcome?.name}</td>
      <td class="number">
        <Price value={order.price === null ? null : Number(order.price)} />
      </td>
      <td class="number">{grouped(order.remainingShares)}</td>
      <td class="number wide-only">{grouped(order.filledShares)}</td>
      <td class="wide-only">
        <Status of={order.status} />
      </td>
      <td class="wide-only">{timeOfDay(order.createdAt)}</td>
      <td class="number">
        <button type="button" class="quiet small" disabled={isBusy} onClick={cancel}>
          Cancel
          <span class="unseen">
            {` the order of ${order.playerId} for ${order.shares} ${outcome?.name ?? ''}`}
          </span>
        </button>
      </td>
    </tr>
  )
}
