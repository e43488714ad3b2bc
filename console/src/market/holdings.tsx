// Tabs below a market: open orders, positions, settlements and reconciliation.

import { useState } from 'preact/hooks'
import { Segments } from '../parts/form.tsx'
import type { Market } from '../wire.ts'
import { OpenOrders } from './open-orders.tsx'
import { Positions } from './positions.tsx'
import { ReconciliationView } from './reconciliation.tsx'
import { Settlements } from './settlements.tsx'

const tabs = [
  ['orders', 'Open orders'],
  ['positions', 'Positions'],
  ['settlements', 'Settlements'],
  ['reconciliation', 'Reconciliation'],
] as const
type Tab = (typeof tabs)[number][0]

export function Holdings({ market }: { market: Market }) {
  const [tab, setTab] = useState<Tab>('orders')
  const views = {
    orders: <OpenOrders market={market} />,
    positions: <Positions market={market} />,
    settlements: <Settlements market={market} />,
    reconciliation: <ReconciliationView market={market} />,
  }
  return (
    <section class="panel holdings" aria-label="Holdings">
      <header class="panel-head">
        <Segments name="Show" kind="tabs" choices={tabs} value={tab} onValue={setTab} />
      </header>
      <div class="holdings-body">{views[tab]}</div>
    </section>
  )
}
