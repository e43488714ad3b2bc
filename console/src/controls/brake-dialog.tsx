// Puts on, changes or releases a brake. While orders are cancelled it shows how many are.

import { useState } from 'preact/hooks'
import { ConsoleError } from '../explain.ts'
import { grouped, isoOf, localInput } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import { useNow } from '../now.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CheckField, Segments, TextField } from '../parts/form.tsx'
import type { Brake, BrakeChange, BrakeRequest, StoredEvent, TradingMode } from '../wire.ts'
import { modeNames } from './modes.ts'

const modes = (['OPEN', 'REDUCE_ONLY', 'HALTED'] as const).map(
  (mode) => [mode, modeNames[mode]] as const,
)
const effects: Readonly<Record<TradingMode, string>> = {
  OPEN: 'Orders are accepted again, unless another control forbids them.',
  REDUCE_ONLY: 'Players can sell, redeem and cancel. They cannot buy or mint.',
  HALTED: 'Players can only cancel orders.',
}
const verbs: Readonly<Record<TradingMode, string>> = {
  OPEN: 'Open trading',
  REDUCE_ONLY: 'Reduce only',
  HALTED: 'Halt trading',
}
const clockMs = 1_000

export type BrakeChanging = {
  /** Whose trading it is: "the whole exchange". */
  readonly subject: string
  /** Answers when the last order is cancelled. */
  readonly put: (request: BrakeRequest) => Promise<BrakeChange>
  /** Whether an event is about an order that this brake may have cancelled. */
  readonly isOurs: (event: StoredEvent) => boolean
}

type Props = BrakeChanging & {
  readonly brake: Brake
  readonly mode: TradingMode
  readonly onDone: (change: BrakeChange) => void
  /** What was asked for may be in force although it failed. */
  readonly onFailure: () => void
  readonly onClose: () => void
}

export function BrakeDialog(props: Props) {
  const { subject, put, isOurs, brake, onDone, onFailure, onClose } = props
  const [mode, setMode] = useState(props.mode)
  const [reason, setReason] = useState(brake.reason ?? '')
  const [until, setUntil] = useState(localInput(brake.until))
  const [cancelsOrders, setCancelsOrders] = useState(true)
  const [isRunning, setRunning] = useState(false)
  const isOpen = mode === 'OPEN'
  const confirm = async () => {
    if (!isOpen) checkUntil(until)
    setRunning(true)
    try {
      const braking = { reason: reason.trim(), until: isoOf(until), cancelOrders: cancelsOrders }
      onDone(await put(isOpen ? { mode } : { mode, ...braking }))
    } catch (error) {
      onFailure()
      throw error
    } finally {
      setRunning(false)
    }
  }
  return (
    <Confirm
      title={`Trading of ${subject}`}
      verb={verbs[mode]}
      {...(mode === 'HALTED' ? { word: 'HALT', warning: 'Trading stops at once.' } : {})}
      isReady={isOpen || reason.trim() !== ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Segments name="Mode" choices={modes} value={mode} onValue={setMode} />
      <p>{effects[mode]}</p>
      {isOpen ? null : (
        <>
          <TextField name="Reason" value={reason} onValue={setReason} isRequired />
          <TextField
            name="Until"
            type="datetime-local"
            value={until}
            onValue={setUntil}
            hint="Empty: until you open trading again."
          />
          <CheckField
            name={mode === 'HALTED' ? 'Cancel all open orders' : 'Cancel open BUY orders'}
            hint="Orders that stay in the books can still match."
            isOn={cancelsOrders}
            onChange={setCancelsOrders}
          />
        </>
      )}
      {isRunning ? <Cancelling isOurs={isOurs} /> : null}
    </Confirm>
  )
}

function checkUntil(until: string): void {
  if (until === '' || new Date(until).getTime() > Date.now()) return
  throw new ConsoleError('The end must be in the future.')
}

/** The administrator receives no events: only the time is shown then. */
function Cancelling({ isOurs }: Pick<Props, 'isOurs'>) {
  const [startedAt] = useState(Date.now)
  const [count, setCount] = useState(0)
  const now = useNow(clockMs)
  useEvents((event) => {
    if (event !== null && isCancelled(event) && isOurs(event)) setCount((before) => before + 1)
  })
  const seconds = Math.max(0, Math.round((now - startedAt) / 1_000))
  return (
    <div class="progress" role="status">
      <progress aria-label="Orders being cancelled" />
      <p>
        {count === 0 ? 'In force. Cancelling orders' : `${grouped(String(count))} orders cancelled`}
        {seconds === 0 ? '' : `, ${seconds} s`}
      </p>
    </div>
  )
}

function isCancelled({ eventType, payload }: StoredEvent): boolean {
  return eventType === 'ORDER_CANCELLED' && payload.reason === 'TRADING_RESTRICTED'
}
