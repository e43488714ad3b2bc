// Resolves a market: one outcome wins, or several share the payout.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Segments, SelectField, TextField } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { notify } from '../parts/toast.tsx'
import { numberOf, readNumber } from '../typed-number.ts'
import type { Market } from '../wire.ts'
import { PayoutPreview } from './settlement-preview.tsx'

const ways = [
  ['winner', 'One winner'],
  ['payouts', 'Split payout'],
] as const
type Way = (typeof ways)[number][0]

type Props = {
  readonly market: Market
  readonly onDone: () => void
  readonly onClose: () => void
}

export function ResolveDialog({ market, onDone, onClose }: Props) {
  const [way, setWay] = useState<Way>('winner')
  const [winner, setWinner] = useState('')
  const [payouts, setPayouts] = useState<Payouts>({})
  const [source, setSource] = useState('')
  const [notes, setNotes] = useState('')
  const isChosen = way === 'winner' ? winner !== '' : tenThousandths(payouts) === 10_000
  const result = way === 'winner' ? { winningOutcomeId: winner } : { payouts: listed(payouts) }
  const confirm = async () => {
    await exchange().markets.resolve(market.id, {
      ...result,
      resolutionSource: source.trim(),
      ...(notes.trim() === '' ? {} : { resolutionNotes: notes.trim() }),
    })
    notify('The market is resolved.')
    onDone()
  }
  const choices = market.outcomes.map(({ id, name }) => [id, name] as const)
  return (
    <Confirm
      title="Resolve this market?"
      verb="Resolve"
      word="RESOLVE"
      isReady={isChosen && source.trim() !== ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Segments name="Resolution" choices={ways} value={way} onValue={setWay} />
      {way === 'winner' ? (
        <SelectField
          name="Winning outcome"
          choices={[['', 'Choose an outcome'], ...choices]}
          value={winner}
          onValue={setWinner}
        />
      ) : (
        <PayoutFields market={market} payouts={payouts} onPayouts={setPayouts} />
      )}
      <PayoutPreview market={market} result={isChosen ? result : null} />
      <TextField
        name="Source"
        value={source}
        onValue={setSource}
        placeholder="Where the result was published"
        isRequired
      />
      <TextField name="Notes" value={notes} onValue={setNotes} />
    </Confirm>
  )
}

type Payouts = Readonly<Record<string, string>>

type PayoutProps = {
  readonly market: Market
  readonly payouts: Payouts
  readonly onPayouts: (payouts: Payouts) => void
}

function PayoutFields({ market, payouts, onPayouts }: PayoutProps) {
  return (
    <fieldset class="payouts">
      <legend>Payout per share</legend>
      {market.outcomes.map(({ id, name }) => (
        <NumberField
          key={id}
          name={name}
          max={1}
          placeholder="0"
          value={payouts[id] ?? ''}
          onValue={(value) => onPayouts({ ...payouts, [id]: value })}
        />
      ))}
      <p class="hint">Total: {tenThousandths(payouts) / 10_000}. It must be 1.</p>
    </fieldset>
  )
}

/** In whole steps, so that the sum is exact. */
function tenThousandths(payouts: Payouts): number {
  return Object.values(payouts).reduce(
    (sum, typed) => sum + Math.round((readNumber(typed, { max: 1 }).value ?? 0) * 10_000),
    0,
  )
}

function listed(payouts: Payouts) {
  return Object.entries(payouts)
    .map(([outcomeId, typed]) => ({ outcomeId, payoutPerShare: numberOf(typed, { max: 1 }) ?? 0 }))
    .filter(({ payoutPerShare }) => payoutPerShare > 0)
}
