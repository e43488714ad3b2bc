// The dead-man switch of all players or of one: whether it is armed, the time left, and disarming.

import { useState } from 'preact/hooks'
import { isOutcryError } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { dateTime, timeOfDay } from '../figures.ts'
import { can } from '../identity.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, usePolling } from '../loaded.ts'
import { useServiceNow } from '../now.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { notify } from '../parts/toast.tsx'
import type { DeadMan } from '../wire.ts'
import { Fact } from './brake-panel.tsx'

/** There is no event when it is armed or renewed. */
const pollMs = 2_000
const clockMs = 250

type Props = {
  /** Absent for the switch of all players. */
  readonly playerId?: string
}

export function DeadManPanel({ playerId }: Props) {
  const [isOpen, setOpen] = useState(false)
  const found = useLoaded(() => findSwitch(playerId), [playerId])
  usePolling(found.reload, pollMs)
  useEvents((event) => {
    if (event === null || event.eventType === 'DEAD_MAN_TRIGGERED') found.reload()
  })
  const deadMan = found.data?.deadMan ?? null
  return (
    <Panel title="Dead-man switch" tools={deadMan === null ? null : <Status of={deadMan.state} />}>
      {found.data === null ? (
        <LoadState of={found} what="Dead-man switches" />
      ) : (
        <div class="brake-body stack">
          <p class="hint">
            A program arms and renews it over the API. Once it does not, open orders are cancelled
            and new ones refused.
          </p>
          {deadMan === null ? (
            <Empty>No switch is armed.</Empty>
          ) : (
            <>
              <SwitchFacts deadMan={deadMan} />
              {can('trade') ? (
                <div class="actions">
                  <button type="button" onClick={() => setOpen(true)}>
                    Disarm
                  </button>
                </div>
              ) : null}
            </>
          )}
        </div>
      )}
      {isOpen && deadMan !== null ? (
        <DisarmDialog deadMan={deadMan} onDone={found.reload} onClose={() => setOpen(false)} />
      ) : null}
    </Panel>
  )
}

type Found = { readonly deadMan: DeadMan | null }

async function findSwitch(playerId: string | undefined): Promise<Found> {
  try {
    return { deadMan: await exchange().deadMan.get(playerId) }
  } catch (error) {
    if (isOutcryError(error, 'NOT_FOUND')) return { deadMan: null }
    throw error
  }
}

function SwitchFacts({ deadMan }: { deadMan: DeadMan }) {
  const now = useServiceNow(clockMs)
  const { state, timeoutMs } = deadMan
  const deadline = Date.parse(deadMan.deadline)
  if (state === 'TRIGGERED') {
    return (
      <dl class="brake-facts">
        <Fact name="Triggered" value={dateTime(deadline)} />
        <Fact name="Orders" value="Refused until it is armed again or disarmed" />
      </dl>
    )
  }
  const leftMs = Math.min(timeoutMs, Math.max(0, deadline - now))
  return (
    <>
      <dl class="brake-facts">
        <Fact name="Time left" value={`${seconds(leftMs)} of ${seconds(timeoutMs)}`} />
        <Fact name="Renewed" value={timeOfDay(deadline - timeoutMs)} />
      </dl>
      <div class="progress">
        <progress value={leftMs} max={timeoutMs} aria-label="Time left" />
      </div>
    </>
  )
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`
}

type DialogProps = {
  readonly deadMan: DeadMan
  readonly onDone: () => void
  readonly onClose: () => void
}

function DisarmDialog({ deadMan: { playerId, state }, onDone, onClose }: DialogProps) {
  // What is shown stays, even if it is triggered meanwhile.
  const [wasArmed] = useState(state === 'ARMED')
  return (
    <Confirm
      title={playerId === null ? 'Disarm the switch?' : `Disarm the switch of ${playerId}?`}
      verb="Disarm"
      onClose={onClose}
      onConfirm={async () => {
        await clearSwitch(playerId)
        notify('The dead-man switch is disarmed.')
        onDone()
      }}
    >
      <p>
        {wasArmed
          ? `The orders stay in the books when the program stops. A program that still runs arms the
              switch again.`
          : 'Orders are accepted again, although the program has not come back.'}
      </p>
    </Confirm>
  )
}

/** Also if it was cleared elsewhere. */
async function clearSwitch(playerId: string | null): Promise<void> {
  try {
    await exchange().deadMan.clear(playerId ?? undefined)
  } catch (error) {
    if (!isOutcryError(error, 'NOT_FOUND')) throw error
  }
}
