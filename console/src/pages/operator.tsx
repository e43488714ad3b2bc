// For the administrator: the page of an operator, with its settings and keys.

import { useState } from 'preact/hooks'
import { OperatorBrakePanel } from '../controls/operator-brake.tsx'
import { exchange } from '../exchange.ts'
import { ConsoleError } from '../explain.ts'
import { percentBounds, scheduleOf, typedFeesOf } from '../fees/fees.ts'
import { OperatorFees } from '../fees/operator-fees.tsx'
import { dateTime, isoOf } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { Confirm } from '../parts/confirm.tsx'
import { SecretOnce } from '../parts/copy-button.tsx'
import { CheckField, Problem, TextField, useSending } from '../parts/form.tsx'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { notify } from '../parts/toast.tsx'
import { hrefOf } from '../route.ts'
import { numberOf } from '../typed-number.ts'
import type { Key, Operator } from '../wire.ts'
import { OperatorMarkets } from './operator-markets.tsx'
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
        <LoadState of={operator} what="Operators" />
      ) : (
        <div class="list-and-form">
          <div class="stack">
            <Panel title="Keys">
              {keys.data === null ? (
                <LoadState of={keys} what="Keys" />
              ) : (
                <KeyTable operatorId={id} keys={keys.data} onChanged={keys.reload} />
              )}
            </Panel>
            <OperatorMarkets operatorId={id} />
          </div>
          <div class="stack">
            <OperatorBrakePanel operator={data} />
            <NewKey operatorId={id} onMade={keys.reload} />
            <OperatorSettings key={data.id} operator={data} onChanged={operator.reload} />
          </div>
        </div>
      )}
    </Page>
  )
}

type ChangeProps = { readonly operator: Operator; readonly onChanged: () => void }

function Activation({ operator, onChanged }: ChangeProps) {
  const [isOpen, setOpen] = useState(false)
  const { id, isActive } = operator
  const verb = isActive ? 'Deactivate' : 'Activate'
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {verb}
      </button>
      {isOpen ? (
        <Confirm
          title={`${verb} ${operator.name}?`}
          verb={verb}
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            await exchange().admin.editOperator(id, { isActive: !isActive })
            onChanged()
          }}
        >
          <p>
            {isActive
              ? 'Its keys stop working until you activate it again.'
              : 'Its keys work again.'}
          </p>
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
  if (keys.length === 0)
    return <Empty>No keys yet. The operator needs one to use the exchange.</Empty>
  return (
    <div class="table-wrap">
      <table class="table">
        <Heads
          columns={[
            'Key',
            ['Scopes', 'wide-only'],
            ['Created', 'wide-only'],
            'Expires',
            'Last used',
            ['Revoke', 'action'],
          ]}
        />
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                <code>{key.prefix}…</code>
                <small>{key.label ?? 'No label'}</small>
                <small>
                  <span class="narrow-only">{key.scopes.join(', ')}</span>
                </small>
              </th>
              <td class="wide-only">{key.scopes.join(', ')}</td>
              <td class="wide-only">{dateTime(key.createdAt)}</td>
              <td>{key.expiresAt === null ? 'Never' : dateTime(key.expiresAt)}</td>
              <td>{key.lastUsedAt === null ? 'Never' : dateTime(key.lastUsedAt)}</td>
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
            The exchange will reject requests with <code>{revoked.prefix}…</code>.
          </p>
        </Confirm>
      )}
    </div>
  )
}

function NewKey({ operatorId, onMade }: { operatorId: string; onMade: () => void }) {
  const [label, setLabel] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes)
  const [expires, setExpires] = useState('')
  const [made, setMade] = useState<string | null>(null)
  const { isBusy, error, send } = useSending()
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      const expiresAt = isoOf(expires)
      if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
        throw new ConsoleError('The key must expire in the future.')
      }
      const { apiKey } = await exchange().admin.createKey(operatorId, {
        scopes: chosen,
        ...(label.trim() === '' ? {} : { label: label.trim() }),
        ...(expiresAt === null ? {} : { expiresAt }),
      })
      setMade(apiKey)
      setLabel('')
      setExpires('')
      onMade()
    })
  }
  return (
    <Panel title="Add a key">
      <form class="stack" onSubmit={submit}>
        <TextField name="Label" value={label} onValue={setLabel} placeholder="Dashboard" />
        <fieldset class="scopes">
          <legend>Scopes</legend>
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
        <TextField
          name="Expires"
          type="datetime-local"
          value={expires}
          onValue={setExpires}
          hint="Empty: never, until you revoke it."
        />
        <Problem error={error} />
        <button type="submit" class="primary" disabled={isBusy || chosen.length === 0}>
          Add key
        </button>
        {made === null ? null : <SecretOnce name="New key." text={made} />}
      </form>
    </Panel>
  )
}

function OperatorSettings({ operator, onChanged }: ChangeProps) {
  const [name, setName] = useState(operator.name)
  const [currencies, setCurrencies] = useState(operator.supportedCurrencies.join(', '))
  const [fee, setFee] = useState(operator.feePercent ?? '')
  const [fees, setFees] = useState(typedFeesOf(operator.feeSchedule))
  const { isBusy, error, send } = useSending()
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      await exchange().admin.editOperator(operator.id, {
        name: name.trim(),
        supportedCurrencies: listOf(currencies),
        // Behind a schedule it is not shown, and stays.
        ...(fees.choice === 'NONE' ? { feePercent: numberOf(fee, percentBounds) } : {}),
        feeSchedule: scheduleOf(fees),
      })
      notify('The operator is saved.')
      onChanged()
    })
  }
  return (
    <Panel title="Settings">
      <form class="stack" onSubmit={submit}>
        <TextField name="Name" value={name} onValue={setName} isRequired />
        <TextField name="Currencies" value={currencies} onValue={setCurrencies} isRequired />
        <OperatorFees fee={fee} onFee={setFee} fees={fees} onFees={setFees} />
        <Problem error={error} />
        <button type="submit" disabled={isBusy}>
          Save
        </button>
      </form>
    </Panel>
  )
}
