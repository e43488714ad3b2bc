// The open orders of a market, of all players or of one, with actions to amend and cancel them.

import { useEffect, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { totalOf } from '../figures.ts'
import { can } from '../identity.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CsvDownload } from '../parts/csv-download.tsx'
import { TextField } from '../parts/form.tsx'
import { type Column, Heads } from '../parts/heads.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import { useStepwise } from '../parts/stepwise.ts'
import { notify } from '../parts/toast.tsx'
import type { Market, OrderPage } from '../wire.ts'
import { OrderRow } from './order-row.tsx'

/** On a busy feed most rows change at each reload, and the time to lay them out grows with them. */
const shownMax = 50
const reloadMs = 500
const typingMs = 250

const columns: readonly Column[] = [
  'Player',
  ['Side', 'wide-only'],
  ['Outcome', 'wide-only'],
  ['Price', 'number'],
  ['Remaining', 'number'],
  ['Filled', 'number wide-only'],
  ['State', 'wide-only'],
  ['Placed', 'wide-only'],
  ['Amend or cancel', 'action'],
]

export function OpenOrders({ market }: { market: Market }) {
  const [typed, setTyped] = useState('')
  const [playerId, setPlayerId] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setPlayerId(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const of = { marketId: market.id, ...(playerId === '' ? {} : { playerId }) }
  const open = { ...of, status: 'PENDING,PARTIAL' }
  const page = useLoaded(
    () => exchange().orders.list({ ...open, limit: shownMax }),
    [market.id, playerId],
  )
  const reload = useThrottled(page.reload, reloadMs)
  useEvents((event) => {
    const isOurs = event === null || event.marketId === market.id
    if (isOurs && (event === null || event.eventType.startsWith('ORDER_'))) reload()
  })
  if (page.data === null) return <LoadState of={page} what="Orders" />
  return (
    <>
      <div class="holdings-tools">
        <TextField
          name="Filter by player"
          value={typed}
          onValue={setTyped}
          placeholder="All players"
        />
        <CsvDownload name="orders" pages={(options) => exchange().orders.csv(open, options)} />
        {can('trade') ? <MassCancel of={of} page={page.data} onDone={page.reload} /> : null}
      </div>
      {page.data.orders.length === 0 ? (
        <Empty>{playerId === '' ? 'No open orders.' : `No open orders of ${playerId}.`}</Empty>
      ) : (
        <OrderTable market={market} page={page.data} onChanged={page.reload} />
      )}
    </>
  )
}

type TableProps = {
  readonly market: Market
  readonly page: OrderPage
  readonly onChanged: () => void
}

function OrderTable({ market, page, onChanged }: TableProps) {
  const shown = useStepwise(page.orders)
  return (
    <Scroller name="Open orders">
      <table class="table compact orders-table">
        <Heads columns={can('trade') ? columns : columns.slice(0, -1)} />
        <tbody>
          {shown.map((order) => (
            <OrderRow key={order.id} order={order} market={market} onChanged={onChanged} />
          ))}
        </tbody>
      </table>
      <Latest page={page} count={shownMax} />
    </Scroller>
  )
}

type MassProps = {
  readonly of: { readonly marketId: string; readonly playerId?: string }
  readonly page: OrderPage
  readonly onDone: () => void
}

/** Cancelling the orders of all players requires typing the word. */
function MassCancel({ of, page, onDone }: MassProps) {
  const [isOpen, setOpen] = useState(false)
  const whose = of.playerId === undefined ? 'of all players' : `of ${of.playerId}`
  const confirm = async () => {
    const { cancelled } = await exchange().orders.cancelAll(of)
    notify(`${counted({ total: cancelled, totalIsExact: true })} cancelled.`)
    onDone()
  }
  return (
    <>
      <button
        type="button"
        class="quiet danger-text"
        disabled={page.total === 0}
        onClick={() => setOpen(true)}
      >
        Cancel all
      </button>
      {isOpen ? (
        <Confirm
          title={`Cancel all open orders ${whose}?`}
          verb="Cancel orders"
          {...(of.playerId === undefined ? { word: 'CANCEL' } : {})}
          onClose={() => setOpen(false)}
          onConfirm={confirm}
        >
          <p>This cancels {counted(page)} in this market, and any placed before you confirm.</p>
        </Confirm>
      ) : null}
    </>
  )
}

function counted(orders: Pick<OrderPage, 'total' | 'totalIsExact'>): string {
  return orders.total === 1 ? '1 order' : `${totalOf(orders)} orders`
}
