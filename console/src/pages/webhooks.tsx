// The page of webhooks, and a form that adds one.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime } from '../figures.ts'
import { can } from '../identity.ts'
import { useLoaded } from '../loaded.ts'
import { SecretOnce } from '../parts/copy-button.tsx'
import { Problem, TextField, useSending } from '../parts/form.tsx'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { hrefOf } from '../route.ts'
import type { Webhook } from '../wire.ts'
import { EventChoice } from './event-choice.tsx'
import type { EventType } from './event-words.ts'

export function WebhooksPage() {
  const webhooks = useLoaded(() => exchange().webhooks.list(), [])
  return (
    <Page title="Webhooks">
      <p class="lead">
        The exchange sends signed events to these URLs, possibly out of order: sort by{' '}
        <code>sequence</code>.
      </p>
      <div class="list-and-form">
        <Panel title="All webhooks">
          {webhooks.data === null ? (
            <LoadState of={webhooks} what="Webhooks" />
          ) : webhooks.data.length === 0 ? (
            <Empty>No webhooks yet.</Empty>
          ) : (
            <WebhookTable webhooks={webhooks.data} />
          )}
        </Panel>
        {can('manage') ? <NewWebhook onMade={webhooks.reload} /> : null}
      </div>
    </Page>
  )
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <div class="table-wrap">
      <table class="table">
        <Heads columns={['URL', 'State', ['Created', 'wide-only']]} />
        <tbody>
          {webhooks.map(({ id, url, events, isActive, createdAt, description }) => (
            <tr key={id}>
              <th scope="row">
                <a href={hrefOf(`/webhooks/${id}`)}>{url}</a>
                <small>
                  {events.length === 0 ? 'All events' : events.join(', ')}
                  {description === null ? '' : ` · ${description}`}
                </small>
              </th>
              <td>
                <Status of={isActive ? 'ACTIVE' : 'PAUSED'} />
              </td>
              <td class="wide-only">{dateTime(createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NewWebhook({ onMade }: { onMade: () => void }) {
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<readonly EventType[]>([])
  const [made, setMade] = useState<Webhook | null>(null)
  const { isBusy, error, send } = useSending()
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      const about = description.trim() === '' ? {} : { description: description.trim() }
      setMade(await exchange().webhooks.create({ url: url.trim(), events, ...about }))
      setUrl('')
      setDescription('')
      setEvents([])
      onMade()
    })
  }
  return (
    <Panel title="Add a webhook">
      <form class="stack" onSubmit={submit}>
        <TextField
          name="URL"
          value={url}
          onValue={setUrl}
          placeholder="https://example.com/outcry"
          isRequired
        />
        <TextField name="Description" value={description} onValue={setDescription} />
        <EventChoice chosen={events} onChosen={setEvents} />
        <Problem error={error} />
        <button type="submit" class="primary" disabled={isBusy}>
          Add webhook
        </button>
        {made === null ? null : <SecretOnce name="Signing secret." text={made.secret} />}
      </form>
    </Panel>
  )
}
