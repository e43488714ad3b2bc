// For the administrator: one operator, its terms and its keys.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { numberOf } from '../market/ticket.ts'
import { Confirm } from '../parts/confirm.tsx'
import { SecretOnce } from '../parts/copy-button.tsx'
import { CheckField, Problem, TextField, useSending } from '../parts/form.tsx'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Instead, Nothing, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { notify } from '../parts/toast.tsx'
import { hrefOf } from '../route.ts'
import type { Key, Operator } from '../wire.ts'
import { listOf } from './operators.tsx'

const scopes = ['read', 'trade', 'manage'] as const
type Scope = (typeof scopes)[number]

export function OperatorPage({ id }: { id: string }) {
  const operator = useLoaded(() => exchange().admin.operator(id), [id])
  const keys = useLoaded(() => exchange().admin.keys(id), [id])
  const { data } = operator
  return (
    <Page
      title={data?.name ?? 'Operator'}
      above={
        <a class="back" href={hrefOf('/operators')}>
          Operators
        </a>
      }
      beside={data === null ? null : <Status of={data.isActive ? 'ACTIVE' : 'PAUSED'} />}
      actions={data === null ? null : <Activation operator={data} onChanged={operator.reload} />}
    >
      {data === null ? (
        <Instead of={operator} what="Operators" />
      ) : (
        <div class="list-and-form">
          <Panel title="Keys">
            {keys.data === null ? (
              <Instead of={keys} what="Keys" />
            ) : (
              <KeyTable operatorId={id} keys={keys.data} onChanged={keys.reload} />
            )}
          </Panel>
          <div class="stack">
            <NewKey operatorId={id} onMade={keys.reload} />
            <Terms key={data.id} operator={data} onChanged={operator.reload} />
          </div>
        </div>
      )}
    </Page>
  )
}

type ChangeProps = { readonly operator: Operator; readonly onChanged: () => void }

function Activation({ operator, onChanged }: ChangeProps) {
  const [isAsked, setAsked] = useState(false)
  const { id, isActive } = operator
  const verb = isActive ? 'Deactivate' : 'Activate'
  return (
    <>
      <button type="button" onClick={() => setAsked(true)}>
        {verb}
      </button>
      {isAsked ? (
        <Confirm
          title={`${verb} ${operator.name}?`}
          verb={verb}
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            await exchange().admin.editOperator(id, { isActive: !isActive })
            onChanged()
          }}
        >
          <p>{isActive ? 'None of its keys will work until it is activated.' : 'Its keys work.'}</p>
        </Confirm>
      ) : null}
    </>
  )
}

type KeysProps = {
  readonly operatorId: string
  readonly keys: readonly Key[]
  readonly onChanged: () => void
}

function KeyTable({ operatorId, keys, onChanged }: KeysProps) {
  const [revoked, setRevoked] = useState<Key | null>(null)
  if (keys.length === 0) return <Nothing>No keys: nobody can act for this operator.</Nothing>
  return (
    <div class="table-wrap">
      <table class="table">
        <Heads
          columns={[
            'Key',
            'May',
            ['Created', 'wide-only'],
            ['Expires', 'wide-only'],
            ['Revoke', 'action'],
          ]}
        />
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                <code>{key.prefix}…</code>
                <small>{key.label ?? 'No label'}</small>
              </th>
              <td>{key.scopes.join(', ')}</td>
              <td class="wide-only">{dateTime(key.createdAt)}</td>
              <td class="wide-only">
                {key.expiresAt === null ? 'Never' : dateTime(key.expiresAt)}
              </td>
              <td class="number">
                <button type="button" class="quiet small" onClick={() => setRevoked(key)}>
                  Revoke<span class="unseen"> {key.prefix}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoked === null ? null : (
        <Confirm
          title="Revoke this key?"
          verb="Revoke"
          word="REVOKE"
          onClose={() => setRevoked(null)}
          onConfirm={async () => {
            await exchange().admin.revokeKey(operatorId, revoked.id)
            notify('The key is revoked.')
            onChanged()
          }}
        >
          <p>
            Whoever uses <code>{revoked.prefix}…</code> is refused from then on.
          </p>
        </Confirm>
      )}
    </div>
  )
}

function NewKey({ operatorId, onMade }: { operatorId: string; onMade: () => void }) {
  const [label, setLabel] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes)
  const [made, setMade] = useState<string | null>(null)
  const { isBusy, error, send } = useSending()
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      const named = label.trim() === '' ? {} : { label: label.trim() }
      const { apiKey } = await exchange().admin.createKey(operatorId, { scopes: chosen, ...named })
      setMade(apiKey)
      setLabel('')
      onMade()
    })
  }
  return (
    <Panel title="Add a key">
      <form class="stack" onSubmit={submit}>
        <TextField name="Label" value={label} onValue={setLabel} placeholder="Dashboard" />
        <fieldset class="scopes">
          <legend>It may</legend>
          {scopes.map((scope) => (
            <CheckField
              key={scope}
              name={scope}
              isOn={chosen.includes(scope)}
              onChange={(isOn) =>
                setChosen(isOn ? [...chosen, scope] : chosen.filter((each) => each !== scope))
              }
            />
          ))}
        </fieldset>
        <Problem error={error} />
        <button type="submit" class="primary" disabled={isBusy || chosen.length === 0}>
          Add key
        </button>
        {made === null ? null : <SecretOnce name="The new key." text={made} />}
      </form>
    </Panel>
  )
}

function Terms({ operator, onChanged }: ChangeProps) {
  const [name, setName] = useState(operator.name)
  const [currencies, setCurrencies] = useState(operator.supportedCurrencies.join(', '))
  const [fee, setFee] = useState(operator.feePercent ?? '')
  const { isBusy, error, send } = useSending()
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      await exchange().admin.editOperator(operator.id, {
        name: name.trim(),
        supportedCurrencies: listOf(currencies),
        feePercent: fee.trim() === '' ? null : numberOf(fee),
      })
      notify('The operator is saved.')
      onChanged()
    })
  }
  return (
    <Panel title="Terms">
      <form class="stack" onSubmit={submit}>
        <TextField name="Name" value={name} onValue={setName} isRequired />
        <TextField name="Currencies" value={currencies} onValue={setCurrencies} isRequired />
        <TextField
          name="Fee in percent"
          type="number"
          value={fee}
          onValue={setFee}
          hint="Empty: the exchange's own."
        />
        <Problem error={error} />
        <button type="submit" disabled={isBusy}>
          Save
        </button>
      </form>
    </Panel>
  )
}
