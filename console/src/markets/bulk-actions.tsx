// Opens, suspends or closes the chosen markets, one after another, by the same requests as for one.

import { useRef, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { explain } from '../explain.ts'
import { owns } from '../identity.ts'
import { actionsOf } from '../market/market-actions.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/form.tsx'
import type { Market } from '../wire.ts'

const actions = ['open', 'suspend', 'close'] as const
type BulkAction = (typeof actions)[number]

const verbs: Readonly<Record<BulkAction, string>> = {
  open: 'Open',
  suspend: 'Suspend',
  close: 'Close',
}
const notes: Readonly<Record<BulkAction, string>> = {
  open: 'Players can place orders as soon as the trading time has started.',
  suspend: 'Orders stay in the books. Players cannot place new ones until you resume the markets.',
  close: 'Trading ends for good. You can then resolve the markets.',
}

type Props = {
  readonly chosen: readonly Market[]
  readonly onChosen: (ids: ReadonlySet<string>) => void
  readonly onDone: () => void
}

export function BulkActions({ chosen, onChosen, onDone }: Props) {
  const [action, setAction] = useState<BulkAction | null>(null)
  if (chosen.length === 0) return null
  const allowing = (each: BulkAction) =>
    chosen.filter((market) => owns(market) && actionsOf(market).includes(each))
  return (
    <section class="bulk" aria-label="Chosen markets">
      <span>{counted(chosen.length)} chosen</span>
      {actions.map((each) => {
        const count = allowing(each).length
        return (
          <button key={each} type="button" disabled={count === 0} onClick={() => setAction(each)}>
            {verbs[each]} {count}
          </button>
        )
      })}
      <button type="button" class="quiet" onClick={() => onChosen(new Set())}>
        Clear
      </button>
      {action === null ? null : (
        <BulkDialog
          action={action}
          markets={allowing(action)}
          onClose={(failed) => {
            setAction(null)
            onChosen(new Set(failed))
            onDone()
          }}
        />
      )}
    </section>
  )
}

type Result = { readonly market: Market; readonly error: string | null }

type DialogProps = {
  readonly action: BulkAction
  readonly markets: readonly Market[]
  /** With the ids of the markets that are still to be done. */
  readonly onClose: (left: readonly string[]) => void
}

function BulkDialog({ action, markets: given, onClose }: DialogProps) {
  // The list behind the dialog is loaded again as the markets change.
  const [markets] = useState(given)
  const [reason, setReason] = useState('')
  const [results, setResults] = useState<readonly Result[]>([])
  const [phase, setPhase] = useState<'asking' | 'working' | 'done'>('asking')
  const isStopped = useRef(false)
  const failed = results.filter(({ error }) => error !== null)
  const left = () => {
    const done = results.filter(({ error }) => error === null).map(({ market }) => market.id)
    return markets.map(({ id }) => id).filter((id) => !done.includes(id))
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    setPhase('working')
    for (const market of markets) {
      if (isStopped.current) break
      const error = await act(action, market, reason.trim())
      setResults((before) => [...before, { market, error }])
    }
    setPhase('done')
  }
  const close = () => {
    isStopped.current = true
    onClose(left())
  }
  return (
    <Dialog title={`${verbs[action]} ${counted(markets.length)}?`} onClose={close}>
      <form class="stack" onSubmit={submit}>
        {phase === 'asking' ? (
          <Question {...{ action, markets, reason, onReason: setReason }} />
        ) : (
          <Progress results={results} failed={failed} total={markets.length} />
        )}
        <div class="dialog-foot">
          {phase === 'done' ? null : (
            <button type="button" class="quiet" onClick={close}>
              {phase === 'asking' ? 'Go back' : 'Stop'}
            </button>
          )}
          {phase === 'done' ? (
            <button type="button" class="primary" onClick={close}>
              Done
            </button>
          ) : (
            <button
              type="submit"
              class="primary"
              disabled={phase === 'working' || (action === 'suspend' && reason.trim() === '')}
            >
              {verbs[action]} {counted(markets.length)}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

type QuestionProps = {
  readonly action: BulkAction
  readonly markets: readonly Market[]
  readonly reason: string
  readonly onReason: (reason: string) => void
}

function Question({ action, markets, reason, onReason }: QuestionProps) {
  return (
    <>
      <p>{notes[action]}</p>
      <ul class="chosen-markets">
        {markets.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      {action === 'suspend' ? (
        <TextField name="Reason" value={reason} onValue={onReason} isRequired />
      ) : null}
    </>
  )
}

type ProgressProps = {
  readonly results: readonly Result[]
  readonly failed: readonly Result[]
  readonly total: number
}

function Progress({ results, failed, total }: ProgressProps) {
  return (
    <div class="progress" role="status">
      <progress value={results.length} max={total} aria-label="Markets done" />
      <p>
        {results.length - failed.length} of {total} done
        {failed.length === 0 ? '' : `, ${failed.length} failed`}
      </p>
      {failed.length === 0 ? null : (
        <ul class="chosen-markets">
          {failed.map(({ market, error }) => (
            <li key={market.id}>
              {market.title}: {error}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The error, in words; null if it is done. */
async function act(action: BulkAction, { id }: Market, reason: string): Promise<string | null> {
  const { markets } = exchange()
  try {
    if (action === 'suspend') await markets.suspend(id, reason)
    else await markets[action](id)
    return null
  } catch (error) {
    return explain(error)
  }
}

function counted(count: number): string {
  return count === 1 ? '1 market' : `${count} markets`
}
