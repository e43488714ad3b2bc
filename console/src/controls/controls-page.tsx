// The page with the brakes on all players: of the signed-in operator, or of the whole exchange.

import { isOutcryError } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { ConsoleError } from '../explain.ts'
import { can } from '../identity.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded } from '../loaded.ts'
import { Page } from '../parts/page.tsx'
import type { BrakeRequest } from '../wire.ts'
import type { BrakeChanging } from './brake-dialog.tsx'
import { BrakePanel } from './brake-panel.tsx'
import { DeadManPanel } from './dead-man-panel.tsx'
import { DefaultLimitsPanel } from './default-limits.tsx'
import { statusOf } from './in-force.ts'
import { keptLimits } from './limits.ts'

/** Very many orders may have to be cancelled. */
export const braking = { timeoutMs: 600_000 }

const ofPlayers: BrakeChanging = {
  subject: 'all of your players',
  put: async (request) => {
    const { controls } = exchange()
    const playerDefaults = keptLimits((await controls.get()).playerDefaults)
    return controls.put({ ...request, playerDefaults }, braking)
  },
  isOurs: () => true,
}

export function ControlsPage() {
  const brake = useLoaded(() => exchange().controls.get(), [])
  const ofExchange = useLoaded(statusOf, [])
  useEvents((event) => {
    if (event === null || event.eventType === 'CONTROLS_CHANGED') brake.reload()
  })
  return (
    <Page title="Trading controls">
      <div class="halves">
        <div class="stack">
          <BrakePanel
            title="All of your players"
            about="It also holds in the markets of other operators. A player has its own, too."
            of={brake}
            changing={can('manage') ? ofPlayers : null}
          />
          <DefaultLimitsPanel of={brake} />
        </div>
        <div class="stack">
          <BrakePanel
            title="The whole exchange"
            about="Only the administrator can change it."
            of={ofExchange}
          />
          <DeadManPanel />
        </div>
      </div>
    </Page>
  )
}

/** For the administrator. */
export function ExchangeControlsPage() {
  const brake = useLoaded(() => exchange().admin.controls(), [])
  return (
    <Page title="Trading controls">
      <div class="halves">
        <BrakePanel
          title="The whole exchange"
          about="It holds for all players of all operators. Everybody can read its reason."
          of={brake}
          changing={{ subject: 'the whole exchange', put: putExchange, isOurs: () => false }}
        />
      </div>
    </Page>
  )
}

/** It is stored before each shard obeys it. */
async function putExchange(request: BrakeRequest) {
  try {
    return await exchange().admin.putControls(request, braking)
  } catch (error) {
    if (!isOutcryError(error, 'COMMIT_UNKNOWN')) throw error
    throw new ConsoleError(
      'A part of the exchange has not confirmed this yet. Try again to wait for it.',
    )
  }
}
