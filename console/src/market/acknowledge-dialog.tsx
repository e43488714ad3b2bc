// Acknowledges a settlement: the operator reports whether the player was paid.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { money } from '../figures.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Segments, TextField } from '../parts/form.tsx'
import { PlayerLink } from '../parts/player-link.tsx'
import { notify } from '../parts/toast.tsx'
import type { Settlement } from '../wire.ts'

const results = [
  ['COMPLETED', 'Paid'],
  ['FAILED', 'Failed'],
] as const
type Result = (typeof results)[number][0]

type Props = {
  readonly settlement: Settlement
  readonly currency: string
  readonly onDone: () => void
  readonly onClose: () => void
}

export function AcknowledgeDialog({ settlement, currency, onDone, onClose }: Props) {
  const [result, setResult] = useState<Result>('COMPLETED')
  const [reference, setReference] = useState(settlement.transactionId ?? '')
  const [reason, setReason] = useState('')
  const confirm = async () => {
    await exchange().settlements.acknowledge(settlement.id, {
      transactionId: reference.trim(),
      status: result,
      ...(result === 'FAILED' && reason.trim() !== '' ? { errorMessage: reason.trim() } : {}),
    })
    notify(`The payout is marked as ${result === 'COMPLETED' ? 'paid' : 'failed'}.`)
    onDone()
  }
  return (
    <Confirm
      title="Acknowledge this settlement"
      verb="Acknowledge"
      isReady={reference.trim() !== ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        <PlayerLink id={settlement.playerId} /> is due {money(settlement.totalPayout)} {currency}.
      </p>
      <Segments name="Result" choices={results} value={result} onValue={setResult} />
      <TextField
        name="Transaction"
        value={reference}
        onValue={setReference}
        hint="The reference of the payment in your wallet."
        isRequired
      />
      {result === 'FAILED' ? <TextField name="Reason" value={reason} onValue={setReason} /> : null}
    </Confirm>
  )
}
