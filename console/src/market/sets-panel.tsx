// Mints and redeems complete sets for a player.

import { useEffect, useRef, useState } from 'preact/hooks'
import { newTransactionId } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { grouped, money } from '../figures.ts'
import { Problem, Segments, TextField, useSending } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { notify } from '../parts/toast.tsx'
import { readNumber } from '../typed-number.ts'
import type { Market } from '../wire.ts'
import { playerId } from './ticket.ts'

const kinds = [
  ['mint', 'Mint'],
  ['redeem', 'Redeem'],
] as const
type Kind = (typeof kinds)[number][0]

export function SetsPanel({ market }: { market: Market }) {
  const [kind, setKind] = useState<Kind>('mint')
  const [typed, setTyped] = useState('')
  const { isBusy, error, send, clear } = useSending()
  const transactionId = useRef(newTransactionId())
  useEffect(() => {
    transactionId.current = newTransactionId()
    clear()
  }, [kind, typed, playerId.value])
  const shares = readNumber(typed).value
  const isReady = shares !== null && playerId.value.trim() !== '' && market.status === 'OPEN'
  const verb = kind === 'mint' ? 'Mint' : 'Redeem'
  const submit = (event: Event) => {
    event.preventDefault()
    send(async () => {
      const made = await exchange().markets[kind](market.id, {
        playerId: playerId.value.trim(),
        shares: shares ?? 0,
        transactionId: transactionId.current,
      })
      transactionId.current = newTransactionId()
      const done = kind === 'mint' ? 'Minted' : 'Redeemed'
      notify(`${done} ${grouped(made.shares)} sets for ${money(made.amount)} ${market.currency}.`)
      setTyped('')
    })
  }
  return (
    <Panel title="Complete sets" kind="ticket sets-ticket">
      <form class="stack" onSubmit={submit}>
        <p class="hint">A set is one share of every outcome. It costs 1 {market.currency}.</p>
        <Segments name="Action" choices={kinds} value={kind} onValue={setKind} />
        <div class="side-by-side">
          <TextField
            name="For player"
            value={playerId.value}
            onValue={(id) => {
              playerId.value = id
            }}
          />
          <NumberField name="Sets" value={typed} onValue={setTyped} placeholder="100" />
        </div>
        <Problem error={error} />
        <button type="submit" class="wide" disabled={!isReady || isBusy}>
          {shares === null ? `${verb} sets` : `${verb} ${grouped(String(shares))} sets`}
        </button>
      </form>
    </Panel>
  )
}
