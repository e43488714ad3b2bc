// For the administrator: the page of operators, and a form that adds one.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { percentBounds, ratesOf, scheduleOf, typedFeesOf } from '../fees/fees.ts'
import { OperatorFees } from '../fees/operator-fees.tsx'
import { dateTime } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { SecretOnce } from '../parts/copy-button.tsx'
import { Problem, TextField, useSending } from '../parts/form.tsx'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { hrefOf } from '../route.ts'
import { numberOf } from '../typed-number.ts'
import type { Operator } from '../wire.ts'

export function OperatorsPage() {
  const operators = useLoaded(() => exchange().admin.operators(), [])
  return (
    <Page title="Operators">
      <p class="lead">Operators run markets on this exchange, each with its own keys.</p>
      <div class="list-and-form">
        <Panel title="All operators">
          {operators.data === null ? (
            <LoadState of={operators} what="Operators" />
          ) : operators.data.length === 0 ? (
            <Empty>No operators yet.</Empty>
          ) : (
            <OperatorTable operators={operators.data} />
          )}
        </Panel>
        <NewOperator onMade={operators.reload} />
      </div>
    </Page>
  )
}

function OperatorTable({ operators }: { operators: readonly Operator[] }) {
  return (
    <div class="table-wrap">
      <table class="table">
        <Heads
          columns={[
            'Operator',
            'State',
            ['Fee', 'number'],
            ['Currencies', 'wide-only'],
            ['Created', 'wide-only'],
          ]}
        />
        <tbody>
          {operators.map((operator) => (
            <tr key={operator.id}>
              <th scope="row">
                <a href={hrefOf(`/operators/${operator.id}`)}>{operator.name}</a>
              </th>
              <td>
                <Status of={operator.isActive ? 'ACTIVE' : 'PAUSED'} />
              </td>
              <td class="number">{feesOf(operator)}</td>
              <td class="wide-only">{operator.supportedCurrencies.join(', ')}</td>
              <td class="wide-only">{dateTime(operator.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Made = { readonly operator: Operator; readonly apiKey: string }

function NewOperator({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState('')
  const [currencies, setCurrencies] = useState('USD')
  const [fee, setFee] = useState('')
  const [fees, setFees] = useState(typedFeesOf(null))
  const [made, setMade] = useState<Made | null>(null)
  const { isBusy, error, send } = useSending()
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      const feePercent = fees.choice === 'NONE' ? numberOf(fee, percentBounds) : null
      const feeSchedule = scheduleOf(fees)
      const body = { name: name.trim(), supportedCurrencies: listOf(currencies) }
      setMade(
        await exchange().admin.createOperator({
          ...body,
          ...(feePercent === null ? {} : { feePercent }),
          ...(feeSchedule === null ? {} : { feeSchedule }),
        }),
      )
      setName('')
      setFee('')
      setFees(typedFeesOf(null))
      onMade()
    })
  }
  return (
    <Panel title="Add an operator">
      <form class="stack" onSubmit={submit}>
        <TextField name="Name" value={name} onValue={setName} isRequired />
        <TextField
          name="Currencies"
          value={currencies}
          onValue={setCurrencies}
          hint="Currency codes, separated by commas."
          isRequired
        />
        <OperatorFees fee={fee} onFee={setFee} fees={fees} onFees={setFees} />
        <Problem error={error} />
        <button type="submit" class="primary" disabled={isBusy}>
          Add operator
        </button>
        {made === null ? null : (
          <SecretOnce name={`Key of ${made.operator.name}.`} text={made.apiKey} />
        )}
      </form>
    </Panel>
  )
}

export function listOf(typed: string): readonly string[] {
  return typed
    .split(/[\s,]+/)
    .map((code) => code.trim())
    .filter((code) => code !== '')
}

function feesOf({ feePercent, feeSchedule }: Operator): string {
  if (feeSchedule === null) return feePercent === null ? 'Default' : `${feePercent}%`
  return `${ratesOf(feeSchedule)}${feeSchedule.model === 'QUADRATIC' ? ' of p(1 - p)' : ''}`
}
