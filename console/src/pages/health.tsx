// For the administrator: whether the exchange lives and can commit, and how far its clock is off.

import { isOutcryError } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { useLoaded, usePolling } from '../loaded.ts'
import { Stat } from '../parts/figure.tsx'
import { Page } from '../parts/page.tsx'
import { LoadState } from '../parts/panel.tsx'
import { hrefOf } from '../route.ts'

const reloadMs = 5_000

export function HealthPage() {
  const health = useLoaded(readHealth, [])
  usePolling(health.reload, reloadMs)
  const { data } = health
  return (
    <Page title="Health">
      <p class="lead">
        Of the node that serves this page. The nodes and shards are on the page{' '}
        <a href={hrefOf('/cluster')}>Cluster</a>.
      </p>
      {data === null ? (
        <LoadState of={health} what="Health" />
      ) : (
        <dl class="stats">
          <Stat name="Version" value={data.version} />
          <Stat
            name="Orders"
            value={data.isReady ? 'Accepted' : 'Refused'}
            {...(data.isReady ? {} : { more: 'The store does not accept commits now.' })}
          />
          <Stat
            name="Clock behind"
            value={data.clockBehindMs === null ? '–' : `${data.clockBehindMs} ms`}
          />
        </dl>
      )}
    </Page>
  )
}

type Health = {
  readonly version: string
  /** Whether it accepts orders. */
  readonly isReady: boolean
  /** null while it does not. */
  readonly clockBehindMs: number | null
}

async function readHealth(): Promise<Health> {
  const { version } = await exchange().health()
  try {
    const { clockBehindMs } = await exchange().ready()
    return { version, isReady: true, clockBehindMs }
  } catch (error) {
    if (isOutcryError(error, 'UNAVAILABLE')) return { version, isReady: false, clockBehindMs: null }
    throw error
  }
}
