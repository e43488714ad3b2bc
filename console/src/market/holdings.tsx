// Tabs below a market: open orders, positions, settlements and reconciliation.

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { owns } from '../identity.ts'
import { Segments } from '../parts/form.tsx'
import type { Market, MarketStatus } from '../wire.ts'
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

const whileTrading: readonly Tab[] = ['orders', 'positions', 'reconciliation']
const whileSettling: readonly Tab[] = ['positions', 'settlements', 'reconciliation']

/** What can be there in each state; the first one is shown at first. */
const tabsOf: Readonly<Record<MarketStatus, readonly Tab[]>> = {
  DRAFT: [],
  UPCOMING: [],
  OPEN: whileTrading,
  SUSPENDED: whileTrading,
  CLOSED: ['positions', 'reconciliation'],
  RESOLVED: whileSettling,
  SETTLED: whileSettling,
  CANCELLED: ['positions', 'reconciliation'],
}

const views: Readonly<Record<Tab, (market: Market) => VNode>> = {
  orders: (market) => <OpenOrders market={market} />,
  positions: (market) => <Positions market={market} />,
  settlements: (market) => <Settlements market={market} />,
  reconciliation: (market) => <ReconciliationView market={market} />,
}

export function Holdings({ market }: { market: Market }) {
  const [chosen, setChosen] = useState<Tab | null>(null)
  // The reconciliation of a market is for its owner.
  const shown = tabsOf[market.status].filter((tab) => tab !== 'reconciliation' || owns(market))
  const tab = shown.find((each) => each === chosen) ?? shown[0]
  if (tab === undefined) return null
  return (
    <section class="panel holdings" aria-label="Holdings">
      <header class="panel-head">
        <Segments
          name="Show"
          kind="tabs"
          choices={tabs.filter(([each]) => shown.includes(each))}
          value={tab}
          onValue={setChosen}
        />
      </header>
      <div class="holdings-body">{views[tab](market)}</div>
    </section>
  )
}
