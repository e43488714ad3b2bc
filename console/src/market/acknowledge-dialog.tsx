// Acknowledging a settlement: the operator says that the player was paid, or could not be.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { money } from '../figures.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Segments, TextField } from '../parts/form.tsx'
import { notify } from '../parts/toast.tsx'
import type { Settlement } from '../wire.ts'

const ways = [
  ['COMPLETED', 'Paid'],
  ['FAILED', 'Could not be paid'],
] as const
type Way = (typeof ways)[number][0]

type Props = {
  readonly settlement: Settlement
  readonly currency: string
  readonly onDone: () => void
  readonly onClose: () => void
}

export function AcknowledgeDialog({ settlement, currency, onDone, onClose }: Props) {
  const [way, setWay] = useState<Way>('COMPLETED')
  const [reference, setReference] = useState(settlement.transactionId ?? '')
  const [reason, setReason] = useState('')
  const confirm = async () => {
    await exchange().settlements.acknowledge(settlement.id, {
      transactionId: reference.trim(),
      status: way,
      ...(way === 'FAILED' && reason.trim() !== '' ? { errorMessage: reason.trim() } : {}),
    })
    notify(way === 'COMPLETED' ? 'Noted as paid.' : 'Noted as failed.')
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
        {settlement.playerId} is due {money(settlement.totalPayout)} {currency}.
      </p>
      <Segments name="What became of it" choices={ways} value={way} onValue={setWay} />
      <TextField
        name="Transaction"
        value={reference}
        onValue={setReference}
        hint="By which your wallet knows the payment."
        isRequired
      />
      {way === 'FAILED' ? <TextField name="Reason" value={reason} onValue={setReason} /> : null}
    </Confirm>
  )
}
