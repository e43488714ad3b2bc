// The page of a webhook: actions, events, and the latest delivery attempts.

import { useEffect, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { ConsoleError } from '../explain.ts'
import { dateTime, timeOfDay } from '../figures.ts'
import { can } from '../identity.ts'
import { useLoaded } from '../loaded.ts'
import { Confirm } from '../parts/confirm.tsx'
import { SecretOnce } from '../parts/copy-button.tsx'
import { Problem, useSending } from '../parts/form.tsx'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { notify } from '../parts/toast.tsx'
import { go, hrefOf } from '../route.ts'
import type { Attempt, Webhook } from '../wire.ts'
import { EventChoice } from './event-choice.tsx'

const refreshMs = 3_000

export function WebhookPage({ id }: { id: string }) {
  const webhook = useLoaded(() => findWebhook(id), [id])
  if (webhook.data === null) {
    return (
      <Page title="Webhook" above={<Back />}>
        <LoadState of={webhook} what="Webhooks" />
      </Page>
    )
  }
  return <WebhookView key={webhook.data.id} webhook={webhook.data} onChanged={webhook.reload} />
}

async function findWebhook(id: string): Promise<Webhook> {
  const all = await exchange().webhooks.list()
  const found = all.find((webhook) => webhook.id === id)
  if (found === undefined) throw new ConsoleError('This webhook does not exist.')
  return found
}

function Back() {
  return (
    <a class="back" href={hrefOf('/webhooks')}>
      Webhooks
    </a>
  )
}

function WebhookView({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) {
  const { id, url, isActive, secret } = webhook
  const attempts = useAttempts(id)
  const [isDeleting, setDeleting] = useState(false)
  const { isBusy, error, send } = useSending()
  const toggle = () =>
    send(async () => {
      await exchange().webhooks.edit(id, { isActive: !isActive })
      onChanged()
    })
  const [rotated, setRotated] = useState<string | null>(null)
  const rotate = () =>
    send(async () => {
      setRotated((await exchange().webhooks.rotateSecret(id)).secret)
      onChanged()
    })
  const repeat = () =>
    send(async () => {
      const { queued, unreadable } = await exchange().webhooks.redeliver(id, { failed: true })
      const damaged = unreadable === 0 ? '' : ` Events that cannot be read: ${unreadable}.`
      const isNone = queued + unreadable === 0
      notify(
        isNone ? 'No delivery has failed.' : `Failed deliveries sent again: ${queued}.${damaged}`,
      )
      attempts.reload()
    })
  const test = () =>
    send(async () => {
      const { delivered, error } = await exchange().webhooks.test(id)
      notify(delivered ? 'The receiver has accepted a PING.' : `A PING was not delivered. ${error}`)
      attempts.reload()
    })
  return (
    <Page
      title={url}
      above={<Back />}
      beside={<Status of={isActive ? 'ACTIVE' : 'PAUSED'} />}
      actions={
        can('manage') ? (
          <>
            <button type="button" class="primary" disabled={isBusy} onClick={test}>
              Send a test
            </button>
            <button type="button" disabled={isBusy} onClick={toggle}>
              {isActive ? 'Pause' : 'Resume'}
            </button>
            <button type="button" disabled={isBusy} onClick={repeat}>
              Send failed again
            </button>
            <button type="button" disabled={isBusy} onClick={rotate}>
              New secret
            </button>
            <button type="button" class="quiet danger-text" onClick={() => setDeleting(true)}>
              Delete
            </button>
          </>
        ) : null
      }
    >
      <p class="lead">
        {webhook.description === null ? null : `${webhook.description}. `}
        Signed with <code>{secret}</code>.{' '}
        {webhook.previousSecretExpiresAt === null
          ? null
          : `The previous secret is valid until ${dateTime(webhook.previousSecretExpiresAt)}. `}
        {healthText(webhook)}
      </p>
      {rotated === null ? null : <SecretOnce name="New signing secret." text={rotated} />}
      <Problem error={error} />
      {can('manage') ? <WebhookEvents webhook={webhook} onChanged={onChanged} /> : null}
      <Panel title="Latest attempts">
        {attempts.data === null ? (
          <LoadState of={attempts} what="Deliveries" />
        ) : (
          <AttemptTable attempts={attempts.data.deliveries} />
        )}
      </Panel>
      {isDeleting ? <DeleteDialog id={id} onClose={() => setDeleting(false)} /> : null}
    </Page>
  )
}

/** The last hour. */
function healthText({ health, retrySchedule, format }: Webhook): string {
  const about = [
    ...(retrySchedule === 'LONG' ? ['Retries for about 18 hours.'] : []),
    ...(format === 'CLOUDEVENTS' ? ['Sends CloudEvents.'] : []),
  ]
  if (health === null || health.successRate === null) return about.join(' ')
  const percent = (health.successRate * 100).toFixed(health.successRate === 1 ? 0 : 2)
  const hour = `${percent} % of ${health.attempts} attempts of the last hour were delivered.`
  return [...about, hour].join(' ')
}

function useAttempts(id: string) {
  const attempts = useLoaded(() => exchange().webhooks.deliveries(id), [id])
  const { reload } = attempts
  useEffect(() => {
    const timer = setInterval(reload, refreshMs)
    return () => clearInterval(timer)
  }, [reload])
  return attempts
}

function WebhookEvents({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) {
  const [events, setEvents] = useState(webhook.events)
  const { isBusy, error, send } = useSending()
  const isSame = events.toSorted().join() === webhook.events.toSorted().join()
  const save = () =>
    send(async () => {
      await exchange().webhooks.edit(webhook.id, { events })
      notify('The events are saved.')
      onChanged()
    })
  return (
    <div class="stack">
      <EventChoice chosen={events} onChosen={setEvents} />
      {isSame ? null : (
        <button type="button" class="primary fit" disabled={isBusy} onClick={save}>
          Save events
        </button>
      )}
      <Problem error={error} />
    </div>
  )
}

function DeleteDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const confirm = async () => {
    await exchange().webhooks.delete(id)
    notify('The webhook is deleted.')
    go('/webhooks')
  }
  return (
    <Confirm
      title="Delete this webhook?"
      verb="Delete"
      word="DELETE"
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>The exchange sends nothing more to it and deletes its secret.</p>
    </Confirm>
  )
}

function AttemptTable({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <Empty>No attempts yet.</Empty>
  return (
    <div class="table-wrap">
      <table class="table compact">
        <Heads
          columns={[
            'Event',
            ['Sequence', 'number wide-only'],
            'State',
            ['Attempt', 'number'],
            'Response',
            ['Duration', 'number wide-only'],
            'Time',
          ]}
        />
        <tbody>
          {attempts.map((attempt) => (
            <tr key={`${attempt.id}-${attempt.attempt}-${attempt.timestamp}`}>
              <th scope="row">{attempt.eventType}</th>
              <td class="number wide-only">{attempt.sequence}</td>
              <td>
                <Status of={attempt.status} />
              </td>
              <td class="number">{attempt.attempt}</td>
              <td>
                {attempt.httpStatus ?? '–'}
                {attempt.error === null ? null : <small class="reason">{attempt.error}</small>}
                {attempt.error === null || !attempt.response ? null : (
                  <small class="reason">{attempt.response}</small>
                )}
              </td>
              <td class="number wide-only">{attempt.durationMs} ms</td>
              <td>{timeOfDay(attempt.timestamp)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
