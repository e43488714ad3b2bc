// The page of a market: state and actions, outcomes, book, charts and tape of the chosen outcome,
// the order ticket, and the holdings of players.

import { useCallback, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime, grouped } from '../figures.ts'
import { can } from '../identity.ts'
import { useEvents } from '../live/events.ts'
import { useBook, usePrices } from '../live/market-feed.ts'
import { isLive } from '../live/stream.ts'
import { useLoaded, useThrottled } from '../loaded.ts'
import { useNow } from '../now.ts'
import { Stat } from '../parts/figure.tsx'
import { Page } from '../parts/page.tsx'
import { LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { hrefOf } from '../route.ts'
import type { Market, MarketStatus, Outcome } from '../wire.ts'
import { BookPanel } from './book-panel.tsx'
import { DepthPanel } from './depth-panel.tsx'
import { Holdings } from './holdings.tsx'
import { MarketActions } from './market-actions.tsx'
import { MarketRules } from './market-rules.tsx'
import { Outcomes } from './outcomes.tsx'
import { PricePanel } from './price-panel.tsx'
import { PublicPage } from './public-page.tsx'
import { Resolution } from './resolution.tsx'
import { SetsPanel } from './sets-panel.tsx'
import { useSuspension } from './suspension.tsx'
import { TapePanel } from './tape-panel.tsx'
import type { PickedPrice } from './ticket.ts'
import { TicketPanel } from './ticket-panel.tsx'
import { isTradingOver } from './trading-time.ts'

const reloadMs = 250
const clockMs = 1_000

export function MarketPage({ id }: { id: string }) {
  const market = useLoaded(() => exchange().markets.get(id), [id])
  const reload = useThrottled(market.reload, reloadMs)
  useEvents((event) => {
    if (event === null || isAboutMarket(event.eventType, event.marketId === id)) reload()
  })
  if (market.data === null) {
    return (
      <Page title="Market" above={<Back />}>
        <LoadState of={market} what="Markets" />
      </Page>
    )
  }
  return <MarketView market={market.data} reload={market.reload} />
}

/** Events that change the record of a market: its state, and its totals when orders match. */
function isAboutMarket(eventType: string, isOurs: boolean): boolean {
  return isOurs && (eventType.startsWith('MARKET_') || eventType === 'ORDER_MATCHED')
}

function MarketView({ market, reload }: { market: Market; reload: () => void }) {
  const [chosenId, setChosenId] = useState(market.outcomes[0]?.id ?? '')
  const outcome = market.outcomes.find(({ id }) => id === chosenId)
  return (
    <Page
      title={market.title}
      above={<Back />}
      beside={<Status of={market.status} />}
      actions={<MarketActions market={market} onDone={reload} />}
    >
      {market.description === null ? null : <p class="lead">{market.description}</p>}
      <Facts market={market} />
      <MarketRules market={market} />
      <PublicPage market={market} />
      <Resolution market={market} />
      {outcome === undefined ? null : (
        <Trading market={market} outcome={outcome} onOutcome={setChosenId} />
      )}
      <Holdings market={market} />
    </Page>
  )
}

function Back() {
  return (
    <a class="back" href={hrefOf('/markets')}>
      Markets
    </a>
  )
}

function Facts({ market }: { market: Market }) {
  return (
    <dl class="stats">
      <Stat name="Shares traded" value={grouped(market.totalVolume)} />
      <Stat name="Trades" value={grouped(String(market.totalTrades))} />
      <Stat name="Currency" value={market.currency} />
      <Stat name="Trading starts" value={dateTime(market.tradingStartsAt)} />
      <Stat name="Trading ends" value={dateTime(market.tradingEndsAt)} />
      <Stat name="Category" value={market.category?.name ?? '–'} />
    </dl>
  )
}

type TradingProps = {
  readonly market: Market
  readonly outcome: Outcome
  readonly onOutcome: (id: string) => void
}

function Trading({ market, outcome, onOutcome }: TradingProps) {
  const isVisible = market.status !== 'DRAFT'
  const [picked, setPicked] = useState<PickedPrice | null>(null)
  const pick = useCallback(
    (price: number) => setPicked((before) => ({ price, count: (before?.count ?? 0) + 1 })),
    [],
  )
  const now = useNow(clockMs)
  const prices = usePrices(isVisible ? [market.id] : [])
  const book = useBook(market.id, outcome.id, isVisible)
  const isStale = isVisible && !isLive.value
  // Outside of trading there is no book: only the history, if there is any.
  if (market.status !== 'OPEN' && market.status !== 'SUSPENDED') {
    const hasTraded = market.totalTrades > 0
    return (
      <div class="trading" data-over="yes" data-stale={isStale ? 'yes' : undefined}>
        <div class="trading-wide">
          <Outcomes market={market} prices={prices} chosen={outcome} onOutcome={onOutcome} />
          {hasTraded ? <PricePanel key={outcome.id} market={market} outcome={outcome} /> : null}
        </div>
        <div class="trading-book">
          <NoTrading market={market} />
          {hasTraded ? <TapePanel key={outcome.id} market={market} outcome={outcome} /> : null}
        </div>
      </div>
    )
  }
  const takesOrders = market.status === 'OPEN' && !isTradingOver(market, now)
  return (
    <div class="trading" data-stale={isStale ? 'yes' : undefined}>
      <div class="trading-wide">
        <Outcomes market={market} prices={prices} chosen={outcome} onOutcome={onOutcome} />
        <PricePanel key={outcome.id} market={market} outcome={outcome} />
        <DepthPanel book={book} />
      </div>
      <div class="trading-book">
        <BookPanel book={book} market={market} outcome={outcome} onPick={pick} />
        <TapePanel key={outcome.id} market={market} outcome={outcome} />
      </div>
      <div class="trading-ticket">
        {takesOrders && can('trade') ? (
          <>
            <TicketPanel market={market} outcome={outcome} picked={picked} book={book} />
            <SetsPanel market={market} />
          </>
        ) : (
          <NoTrading market={market} takesOrders={takesOrders} />
        )}
      </div>
    </div>
  )
}

const noTrading: Readonly<Record<MarketStatus, string>> = {
  DRAFT: 'Only you see this market. Players can trade once you open it.',
  UPCOMING: 'The market opens by itself when its trading time starts.',
  OPEN: 'The trading time is over. Close the market to resolve it.',
  SUSPENDED: 'Trading is paused. Open orders stay in the book and can be cancelled.',
  CLOSED: 'Trading has ended. Resolve the market when the result is known.',
  RESOLVED: 'The result is known. Settle the market to pay the positions.',
  SETTLED: 'The market is settled. Nothing more can happen in it.',
  CANCELLED: 'The market is cancelled. Nothing more can happen in it.',
}

/** In place of the ticket while the market takes no orders. */
function NoTrading({ market, takesOrders = false }: { market: Market; takesOrders?: boolean }) {
  return (
    <Panel title="Trading">
      {market.status === 'SUSPENDED' ? (
        <Suspended market={market} />
      ) : (
        <p class="nothing">
          {takesOrders ? 'This key may not place orders.' : noTrading[market.status]}
        </p>
      )}
    </Panel>
  )
}

function Suspended({ market }: { market: Market }) {
  return <p class="nothing">{useSuspension(market, noTrading.SUSPENDED)}</p>
}
