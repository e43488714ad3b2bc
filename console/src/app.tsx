// Chooses the page by the kind of user and the path.

import type { VNode } from 'preact'
import { AuditPage } from './audit/audit-page.tsx'
import { ControlsPage, ExchangeControlsPage } from './controls/controls-page.tsx'
import { can, identity, identityError, loadIdentity } from './identity.ts'
import { EditMarketPage, NewMarketPage } from './market/market-form.tsx'
import { MarketPage } from './market/market-page.tsx'
import { MarketsPage } from './markets/markets-page.tsx'
import { CategoriesPage } from './pages/categories.tsx'
import { ClusterPage } from './pages/cluster.tsx'
import { EventsPage } from './pages/events.tsx'
import { HealthPage } from './pages/health.tsx'
import { OperatorPage } from './pages/operator.tsx'
import { OperatorsPage } from './pages/operators.tsx'
import { PlayerPage } from './pages/player.tsx'
import { PlayersPage } from './pages/players.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { StatisticsPage } from './pages/statistics.tsx'
import { WebhookPage } from './pages/webhook.tsx'
import { WebhooksPage } from './pages/webhooks.tsx'
import { Page } from './parts/page.tsx'
import { LoadState } from './parts/panel.tsx'
import { Shell } from './parts/shell.tsx'
import { hrefOf, pathParts } from './route.ts'
import { session } from './session.ts'

export function App() {
  const who = session.value
  if (who === null) return <SignInPage />
  const page = who.kind === 'admin' ? adminPage(pathParts.value) : operatorPage(pathParts.value)
  return <Shell who={who}>{page}</Shell>
}

function operatorPage([section = 'markets', id, more]: readonly string[]): VNode {
  if (identity.value === null) return <IdentityPage />
  if (section === 'markets') {
    if (id === undefined) return <MarketsPage />
    if ((id === 'new' || more === 'edit') && !can('manage')) return <NotAllowedPage />
    if (id === 'new') return <NewMarketPage />
    if (more === 'edit') return <EditMarketPage key={id} id={id} />
    return <MarketPage key={id} id={id} />
  }
  if (section === 'categories') return <CategoriesPage />
  if (section === 'events') return <EventsPage />
  if (section === 'webhooks') {
    return id === undefined ? <WebhooksPage /> : <WebhookPage key={id} id={id} />
  }
  if (section === 'players') {
    return id === undefined ? <PlayersPage /> : <PlayerPage key={id} playerId={id} />
  }
  if (section === 'controls') return <ControlsPage />
  if (section === 'statistics') return <StatisticsPage />
  if (section === 'audit') return <AuditPage />
  return <NotFoundPage />
}

function adminPage([section = 'operators', id]: readonly string[]): VNode {
  if (section === 'cluster') return <ClusterPage />
  if (section === 'categories') return <CategoriesPage isGlobal />
  if (section === 'audit') return <AuditPage isOfAll />
  if (section === 'controls') return <ExchangeControlsPage />
  if (section === 'health') return <HealthPage />
  if (section !== 'operators') return <NotFoundPage />
  return id === undefined ? <OperatorsPage /> : <OperatorPage key={id} id={id} />
}

/** Until it is known what the key may do. */
function IdentityPage() {
  const of = { data: null, error: identityError.value, isMissing: false, reload: loadIdentity }
  return (
    <div class="page">
      <LoadState of={of} what="Keys" />
    </div>
  )
}

function NotAllowedPage() {
  return (
    <Page title="Not allowed">
      <p class="lead">
        This key lacks the scope “manage”. <a href={hrefOf('/')}>Go to the start page.</a>
      </p>
    </Page>
  )
}

function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p class="lead">
        This page does not exist. <a href="/console/">Go to the start page.</a>
      </p>
    </Page>
  )
}
