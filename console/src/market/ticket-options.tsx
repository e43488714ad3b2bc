// Options of an order: time in force, expiry, post only, self-trade prevention.

import { CheckField, SelectField, TextField } from '../parts/form.tsx'
import type { SelfTrade, Ticket, TimeInForce } from './ticket.ts'

const times: readonly (readonly [TimeInForce, string])[] = [
  ['GTC', 'Good till cancelled'],
  ['IOC', 'Immediate or cancel'],
  ['FOK', 'Fill or kill'],
]
const selfTrades: readonly (readonly [SelfTrade, string])[] = [
  ['NONE', 'Allow the trade'],
  ['CANCEL_NEWEST', 'Cancel the rest of this order'],
  ['CANCEL_OLDEST', 'Cancel the resting order'],
]

type Props = {
  readonly ticket: Ticket
  readonly change: (changes: Partial<Ticket>) => void
}

export function TicketOptions({ ticket, change }: Props) {
  const isLimit = ticket.type === 'LIMIT'
  return (
    <details class="options">
      <summary>Options</summary>
      {isLimit ? <RestingOptions ticket={ticket} change={change} /> : null}
      <SelectField
        name="If it matches an own order"
        choices={selfTrades}
        value={ticket.selfTrade}
        onValue={(selfTrade) => change({ selfTrade })}
      />
    </details>
  )
}

function RestingOptions({ ticket, change }: Props) {
  const rests = ticket.timeInForce === 'GTC'
  return (
    <>
      <SelectField
        name="Time in force"
        choices={times}
        value={ticket.timeInForce}
        onValue={(timeInForce) => change({ timeInForce })}
      />
      {rests ? (
        <TextField
          name="Expires"
          type="datetime-local"
          value={ticket.expires}
          onValue={(expires) => change({ expires })}
          hint="Empty: never."
        />
      ) : null}
      <CheckField
        name="Post only"
        hint="The exchange rejects it if it would trade at once."
        isOn={ticket.isPostOnly && rests}
        isDisabled={!rests}
        onChange={(isPostOnly) => change({ isPostOnly })}
      />
    </>
  )
}
