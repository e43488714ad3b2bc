// What most orders do without: how long an order lasts, and what it must not do.

import { CheckField, SelectField, TextField } from '../parts/form.tsx'
import type { SelfTrade, Ticket, TimeInForce } from './ticket.ts'

const times: readonly (readonly [TimeInForce, string])[] = [
  ['GTC', 'Until cancelled'],
  ['IOC', 'At once, cancel the rest'],
  ['FOK', 'All at once or nothing'],
]
const selfTrades: readonly (readonly [SelfTrade, string])[] = [
  ['NONE', 'Trades with it'],
  ['CANCEL_NEWEST', 'Cancels the rest of this order'],
  ['CANCEL_OLDEST', 'Cancels the one in the book'],
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
      {isLimit ? <WhileItRests ticket={ticket} change={change} /> : null}
      <SelectField
        name="On meeting an own order"
        choices={selfTrades}
        value={ticket.selfTrade}
        onValue={(selfTrade) => change({ selfTrade })}
      />
    </details>
  )
}

function WhileItRests({ ticket, change }: Props) {
  const rests = ticket.timeInForce === 'GTC'
  return (
    <>
      <SelectField
        name="How long"
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
        hint="Never trades at once."
        isOn={ticket.isPostOnly && rests}
        isDisabled={!rests}
        onChange={(isPostOnly) => change({ isPostOnly })}
      />
    </>
  )
}
