// The limits that all players of the operator have by default.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { can } from '../identity.ts'
import type { Loaded } from '../loaded.ts'
import { LoadState, Panel } from '../parts/panel.tsx'
import type { OperatorControls } from '../wire.ts'
import { Fact } from './brake-panel.tsx'
import { keptBrake } from './kept-controls.ts'
import { limitNames, limitWords } from './limit-words.ts'
import { limitText } from './limits.ts'
import { LimitsDialog } from './limits-dialog.tsx'

export function DefaultLimitsPanel({ of }: { of: Loaded<OperatorControls> }) {
  const [isOpen, setOpen] = useState(false)
  const { data } = of
  const { controls } = exchange()
  return (
    <Panel title="Limits of each player">
      {data === null ? (
        <LoadState of={of} what="Limits" />
      ) : (
        <div class="brake-body stack">
          <p class="hint">How much a player may buy. A player can have limits of its own.</p>
          <dl class="brake-facts limit-facts">
            {limitNames.map((name) => (
              <Fact
                key={name}
                name={limitWords[name].name}
                value={limitText(name, data.playerDefaults?.[name] ?? null)}
              />
            ))}
          </dl>
          {can('manage') ? (
            <div class="actions">
              <button type="button" onClick={() => setOpen(true)}>
                Change limits
              </button>
            </div>
          ) : null}
          {isOpen ? (
            <LimitsDialog
              title="Limits of each player"
              limits={data.playerDefaults}
              put={async (playerDefaults) => {
                const brake = keptBrake(await controls.get())
                await controls.put({ ...brake, playerDefaults })
              }}
              onDone={of.reload}
              onClose={() => setOpen(false)}
            />
          ) : null}
        </div>
      )}
    </Panel>
  )
}
