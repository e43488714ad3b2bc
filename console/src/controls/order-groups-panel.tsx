// The order groups of a player, which programs create: how much of each was filled within its
// window, and triggering and resetting it.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime, grouped } from '../figures.ts'
import { can } from '../identity.ts'
import { useEvents } from '../live/events.ts'
import { useLoaded, usePolling, useThrottled } from '../loaded.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Bar } from '../parts/figure.tsx'
import { type Column, Heads } from '../parts/heads.tsx'
import { Panel } from '../parts/panel.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import { Status } from '../parts/status.tsx'
import { notify } from '../parts/toast.tsx'
import type { OrderGroup } from '../wire.ts'

const columns: readonly Column[] = [
  ['Filled in the window', 'use'],
  ['Window', 'number'],
  'State',
  ['Created', 'wide-only'],
]
const shownMax = 50
/** There is no event when one is created, reset or deleted. */
const pollMs = 5_000
const reloadMs = 1_000

type Step = 'trigger' | 'reset'
type Chosen = { readonly group: OrderGroup; readonly step: Step }

/** Nothing for a player without order groups. */
export function OrderGroupsPanel({ playerId }: { playerId: string }) {
  const groups = useLoaded(
    () => exchange().orderGroups.list({ playerId, limit: shownMax }),
    [playerId],
  )
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const reload = useThrottled(groups.reload, reloadMs)
  usePolling(groups.reload, pollMs)
  useEvents((event) => {
    if (event === null || event.payload.playerId === playerId) reload()
  })
  const page = groups.data
  if (page === null || page.orderGroups.length === 0) return null
  return (
    <Panel title="Order groups" kind="holdings">
      <Scroller name="Order groups of the player">
        <table class="table compact">
          <Heads columns={can('trade') ? [...columns, ['Change', 'action']] : columns} />
          <tbody>
            {page.orderGroups.map((group) => (
              <GroupRow
                key={group.id}
                group={group}
                onStep={(step) => setChosen({ group, step })}
              />
            ))}
          </tbody>
        </table>
        <Latest page={page} count={shownMax} />
      </Scroller>
      {chosen === null ? null : (
        <StepDialog {...chosen} onDone={groups.reload} onClose={() => setChosen(null)} />
      )}
    </Panel>
  )
}

type RowProps = { readonly group: OrderGroup; readonly onStep: (step: Step) => void }

function GroupRow({ group, onStep }: RowProps) {
  const { createdAt, id, limitShares, matchedShares, status, windowMs } = group
  const share = Math.min(1, Number(matchedShares) / Number(limitShares))
  const step = status === 'ACTIVE' ? 'trigger' : 'reset'
  return (
    <tr>
      <th scope="row" class="use">
        {grouped(matchedShares)} of {grouped(limitShares)} shares
        <Bar share={share} />
        <small>
          <code title={id}>…{id.slice(-12)}</code>
        </small>
      </th>
      <td class="number">{windowMs / 1_000} s</td>
      <td>
        <Status of={status} />
      </td>
      <td class="wide-only">{dateTime(createdAt)}</td>
      {can('trade') ? (
        <td class="number">
          <button type="button" class="quiet small" onClick={() => onStep(step)}>
            {verbs[step]}
            <span class="unseen"> the group {id.slice(-12)}</span>
          </button>
        </td>
      ) : null}
    </tr>
  )
}

const verbs = { trigger: 'Trigger', reset: 'Reset' } as const
const effects = {
  trigger: 'Its open orders are cancelled, and it takes no new ones until it is reset.',
  reset: 'It takes orders again, and what was filled before does not count any more.',
} as const
const results = {
  trigger: 'The order group is triggered.',
  reset: 'The order group is reset.',
} as const

type DialogProps = Chosen & { readonly onDone: () => void; readonly onClose: () => void }

function StepDialog({ group: { id, playerId }, step, onDone, onClose }: DialogProps) {
  return (
    <Confirm
      title={`${verbs[step]} an order group of ${playerId}?`}
      verb={verbs[step]}
      onClose={onClose}
      onConfirm={async () => {
        const { orderGroups } = exchange()
        await (step === 'trigger' ? orderGroups.trigger(id) : orderGroups.reset(id))
        notify(results[step])
        onDone()
      }}
    >
      <p>{effects[step]}</p>
    </Confirm>
  )
}
