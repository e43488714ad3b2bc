// The brake on one player.

import { exchange } from '../exchange.ts'
import { can } from '../identity.ts'
import type { Loaded } from '../loaded.ts'
import type { Brake, BrakeRequest, StoredEvent } from '../wire.ts'
import { BrakePanel } from './brake-panel.tsx'
import { braking } from './controls-page.tsx'
import { keptLimits } from './limits.ts'

type Props = { readonly playerId: string; readonly of: Loaded<Brake> }

export function PlayerBrakePanel({ playerId, of }: Props) {
  const { players } = exchange()
  const changing = {
    subject: playerId,
    put: async (request: BrakeRequest) => {
      const limits = keptLimits((await players.controls(playerId)).limits)
      return players.putControls(playerId, { ...request, limits }, braking)
    },
    isOurs: ({ payload }: StoredEvent) => payload.playerId === playerId,
  }
  return (
    <BrakePanel
      title="Trading controls"
      about="It holds in all markets. Those of all players and of the exchange hold as well."
      of={of}
      changing={can('manage') ? changing : null}
    />
  )
}
