// The brake of one scope: its mode, reason and times, and the buttons that change it.

import { useState } from 'preact/hooks'
import { dateTime, grouped } from '../figures.ts'
import { type Loaded, usePolling } from '../loaded.ts'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import type { Brake, BrakeChange, TradingMode } from '../wire.ts'
import { type BrakeChanging, BrakeDialog } from './brake-dialog.tsx'
import { loadBrakeInForce } from './in-force.ts'
import { modeNames } from './modes.ts'

/** A brake with an end opens by itself. */
const pollMs = 5_000

type Props = {
  readonly title: string
  readonly about: string
  readonly of: Loaded<Brake>
  /** Absent if the key may not change it. */
  readonly changing?: BrakeChanging | null
}

export function BrakePanel({ title, about, of, changing = null }: Props) {
  const [chosen, setChosen] = useState<TradingMode | null>(null)
  const [result, setResult] = useState<BrakeChange | null>(null)
  usePolling(of.reload, pollMs)
  const reload = () => {
    of.reload()
    loadBrakeInForce()
  }
  const { data: brake } = of
  return (
    <Panel title={title} kind="brake" tools={brake === null ? null : <Status of={brake.mode} />}>
      {brake === null ? (
        <LoadState of={of} what="Trading controls" />
      ) : (
        <div class="brake-body stack">
          <p class="hint">{about}</p>
          <BrakeFacts brake={brake} isAllowed={changing !== null} />
          <p class="brake-result" role="status">
            {result === null ? '' : resultOf(result)}
          </p>
          {changing === null ? null : <BrakeButtons mode={brake.mode} onChoose={setChosen} />}
          {chosen === null || changing === null ? null : (
            <BrakeDialog
              {...changing}
              brake={brake}
              mode={chosen}
              onDone={(change) => {
                setResult(change)
                reload()
              }}
              onFailure={reload}
              onClose={() => setChosen(null)}
            />
          )}
        </div>
      )}
    </Panel>
  )
}

type FactsProps = { readonly brake: Brake; readonly isAllowed: boolean }

function BrakeFacts({ brake: { mode, reason, until, updatedAt }, isAllowed }: FactsProps) {
  if (mode === 'OPEN' && updatedAt === null) return <Empty>Trading is not restricted.</Empty>
  return (
    <dl class="brake-facts">
      <Fact name="Mode" value={modeNames[mode]} />
      <Fact name="Since" value={dateTime(updatedAt)} />
      {mode === 'OPEN' ? null : (
        <>
          {until !== null ? <Fact name="Until" value={dateTime(until)} /> : null}
          {until === null && isAllowed ? (
            <Fact name="Until" value="You open trading again" />
          ) : null}
          <Fact name="Reason" value={reason ?? '–'} />
        </>
      )}
    </dl>
  )
}

export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

type ButtonsProps = {
  readonly mode: TradingMode
  readonly onChoose: (mode: TradingMode) => void
}

function BrakeButtons({ mode, onChoose }: ButtonsProps) {
  const button = (to: TradingMode, words: string, kind: string) => (
    <button type="button" class={kind} onClick={() => onChoose(to)}>
      {words}
    </button>
  )
  return (
    <div class="actions">
      {mode === 'HALTED' ? null : button('HALTED', 'Halt trading', 'danger')}
      {mode === 'REDUCE_ONLY' ? null : button('REDUCE_ONLY', 'Reduce only', '')}
      {mode === 'OPEN' ? null : button('OPEN', 'Open trading', 'primary')}
      {mode === 'OPEN' ? null : button(mode, 'Change', '')}
    </div>
  )
}

function resultOf({ controls: { mode }, cancelled }: BrakeChange): string {
  const done = {
    OPEN: 'Trading is open.',
    REDUCE_ONLY: 'Only reducing is allowed now.',
    HALTED: 'Trading is halted.',
  }[mode]
  if (mode === 'OPEN') return done
  const count = cancelled === 1 ? '1 order was' : `${grouped(String(cancelled))} orders were`
  return `${done} ${count} cancelled.`
}
