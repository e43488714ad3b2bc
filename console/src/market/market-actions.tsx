// What can be done with a market in its state, each asked about before it is done.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { Confirm } from '../parts/confirm.tsx'
import { TextField } from '../parts/form.tsx'
import { notify } from '../parts/toast.tsx'
import { hrefOf } from '../route.ts'
import type { Market, MarketStatus } from '../wire.ts'
import { ResolveDialog } from './resolve-dialog.tsx'
import { SettleDialog } from './settle-dialog.tsx'

type Action = 'open' | 'suspend' | 'resume' | 'close' | 'resolve' | 'settle' | 'cancel'

const allowed: Readonly<Record<MarketStatus, readonly Action[]>> = {
  DRAFT: ['open', 'cancel'],
  UPCOMING: ['open', 'cancel'],
  OPEN: ['suspend', 'close', 'cancel'],
  SUSPENDED: ['resume', 'close', 'cancel'],
  CLOSED: ['resolve', 'cancel'],
  RESOLVED: ['settle'],
  SETTLED: [],
  CANCELLED: [],
}

/** What leads a market on, as opposed to what stops it. */
const onward: ReadonlySet<Action> = new Set(['open', 'resume', 'resolve', 'settle'])

const verbs: Readonly<Record<Action, string>> = {
  open: 'Open',
  suspend: 'Suspend',
  resume: 'Resume',
  close: 'Close market',
  resolve: 'Resolve',
  settle: 'Settle',
  cancel: 'Cancel market',
}

type Props = { readonly market: Market; readonly onDone: () => void }

export function MarketActions({ market, onDone }: Props) {
  const [asked, setAsked] = useState<Action | null>(null)
  const actions = allowed[market.status]
  return (
    <>
      <a class="button quiet" href={hrefOf(`/markets/${market.id}/edit`)}>
        Edit
      </a>
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          class={action === 'cancel' ? 'quiet danger-text' : onward.has(action) ? 'primary' : ''}
          onClick={() => setAsked(action)}
        >
          {verbs[action]}
        </button>
      ))}
      {asked === null ? null : (
        <ActionDialog
          action={asked}
          market={market}
          onDone={onDone}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

type DialogProps = Props & { readonly action: Action; readonly onClose: () => void }

function ActionDialog({ action, market, onDone, onClose }: DialogProps) {
  if (action === 'resolve') return <ResolveDialog {...{ market, onDone, onClose }} />
  if (action === 'settle') return <SettleDialog {...{ market, onDone, onClose }} />
  if (action === 'suspend' || action === 'cancel') {
    return <ReasonDialog {...{ action, market, onDone, onClose }} />
  }
  const words = {
    open: 'Players can then place orders, once its trading time has begun.',
    resume: 'Players can then place orders again.',
    close: 'Trading ends for good; the market then waits to be resolved.',
  }[action]
  return (
    <Confirm
      title={`${action[0]!.toUpperCase()}${action.slice(1)} this market?`}
      verb={verbs[action]}
      onClose={onClose}
      onConfirm={() => act(action, exchange().markets[action](market.id), onDone)}
    >
      <p>{words}</p>
    </Confirm>
  )
}

type ReasonProps = DialogProps & { readonly action: 'suspend' | 'cancel' }

function ReasonDialog({ action, market, onDone, onClose }: ReasonProps) {
  const [reason, setReason] = useState('')
  const isCancel = action === 'cancel'
  return (
    <Confirm
      title={isCancel ? 'Cancel this market?' : 'Suspend this market?'}
      verb={verbs[action]}
      {...(isCancel ? { word: 'CANCEL' } : {})}
      isReady={reason.trim() !== ''}
      onClose={onClose}
      onConfirm={() => act(action, exchange().markets[action](market.id, reason.trim()), onDone)}
    >
      <p>
        {isCancel
          ? `All open orders are cancelled and nothing is settled. To pay players back fairly, close
              the market and resolve it by payouts instead.`
          : 'Orders stay in the book, and none can be placed until it is resumed.'}
      </p>
      <TextField name="Reason" value={reason} onValue={setReason} isRequired />
    </Confirm>
  )
}

async function act(action: Action, work: Promise<Market>, onDone: () => void): Promise<void> {
  await work
  notify(`${verbs[action]}: done.`)
  onDone()
}
