// The actions that the state of a market allows, each with a confirmation.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { can, owns } from '../identity.ts'
import { Confirm } from '../parts/confirm.tsx'
import { TextField } from '../parts/form.tsx'
import { notify } from '../parts/toast.tsx'
import { hrefOf } from '../route.ts'
import type { Market, MarketStatus } from '../wire.ts'
import { ResolveDialog } from './resolve-dialog.tsx'
import { SettleDialog } from './settle-dialog.tsx'
import { hasOpened, TradingEndDialog } from './trading-end-dialog.tsx'

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

/** Actions that move a market forward, as opposed to those that stop it. */
const forward: ReadonlySet<Action> = new Set(['open', 'resume', 'resolve', 'settle'])

const verbs: Readonly<Record<Action, string>> = {
  open: 'Open',
  suspend: 'Suspend',
  resume: 'Resume',
  close: 'Close market',
  resolve: 'Resolve',
  settle: 'Settle',
  cancel: 'Cancel market',
}

const results: Readonly<Record<Exclude<Action, 'resolve' | 'settle'>, string>> = {
  open: 'The market is opened.',
  suspend: 'The market is suspended.',
  resume: 'The market is resumed.',
  close: 'The market is closed.',
  cancel: 'The market is cancelled.',
}

/** The actions that the state of a market allows. */
export function actionsOf({ status }: Market): readonly Action[] {
  return allowed[status]
}

type Props = { readonly market: Market; readonly onDone: () => void }

export function MarketActions({ market, onDone }: Props) {
  const [chosen, setChosen] = useState<Action | null>(null)
  const [isEndOpen, setEndOpen] = useState(false)
  if (!can('manage')) return null
  const actions = owns(market) ? actionsOf(market) : []
  return (
    <>
      {owns(market) ? (
        <a class="button quiet" href={hrefOf(`/markets/${market.id}/edit`)}>
          Edit
        </a>
      ) : null}
      <a class="button quiet" href={hrefOf(`/markets/new?from=${market.id}`)}>
        Duplicate
      </a>
      {owns(market) && hasOpened(market) ? (
        <button type="button" class="quiet" onClick={() => setEndOpen(true)}>
          Change trading end
        </button>
      ) : null}
      {owns(market) ? (
        <a class="button quiet" href={hrefOf(`/audit?targetId=${market.id}`)}>
          History
        </a>
      ) : null}
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          class={action === 'cancel' ? 'quiet danger-text' : forward.has(action) ? 'primary' : ''}
          onClick={() => setChosen(action)}
        >
          {verbs[action]}
        </button>
      ))}
      {chosen === null ? null : (
        <ActionDialog
          action={chosen}
          market={market}
          onDone={onDone}
          onClose={() => setChosen(null)}
        />
      )}
      {isEndOpen ? (
        <TradingEndDialog market={market} onDone={onDone} onClose={() => setEndOpen(false)} />
      ) : null}
    </>
  )
}

type DialogProps = Props & { readonly action: Action; readonly onClose: () => void }

function ActionDialog({ action, market, onDone, onClose }: DialogProps) {
  if (action === 'resolve')
    return <ResolveDialog market={market} onDone={onDone} onClose={onClose} />
  if (action === 'settle') return <SettleDialog market={market} onDone={onDone} onClose={onClose} />
  if (action === 'suspend' || action === 'cancel') {
    return <ReasonDialog action={action} market={market} onDone={onDone} onClose={onClose} />
  }
  const words = {
    open: 'Players can place orders as soon as the trading time has started.',
    resume: 'Players can place orders again.',
    close: 'Trading ends for good. You can then resolve the market.',
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
          ? `This cancels all open orders and settles nothing. To pay players back, close the market
              and resolve it by payouts instead.`
          : 'Orders stay in the book. Players cannot place new ones until you resume the market.'}
      </p>
      <TextField name="Reason" value={reason} onValue={setReason} isRequired />
    </Confirm>
  )
}

async function act(
  action: keyof typeof results,
  work: Promise<Market>,
  onDone: () => void,
): Promise<void> {
  await work
  notify(results[action])
  onDone()
}
