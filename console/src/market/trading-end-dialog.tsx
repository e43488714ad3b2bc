// Extends or shortens the trading of an OPEN or SUSPENDED market, with a reason.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime, isoOf, localInput } from '../figures.ts'
import { Confirm } from '../parts/confirm.tsx'
import { TextField } from '../parts/form.tsx'
import { notify } from '../parts/toast.tsx'
import type { Market } from '../wire.ts'
import { checkTradingEnd } from './trading-time.ts'

type Props = {
  readonly market: Market
  readonly onDone: () => void
  readonly onClose: () => void
}

export function hasOpened({ status }: Market): boolean {
  return status === 'OPEN' || status === 'SUSPENDED'
}

export function TradingEndDialog({ market, onDone, onClose }: Props) {
  const before = localInput(market.tradingEndsAt)
  const [endsAt, setEndsAt] = useState(before)
  const [reason, setReason] = useState('')
  const confirm = async () => {
    checkTradingEnd(endsAt)
    const tradingEndsAt = isoOf(endsAt) ?? ''
    const changed = await exchange().markets.changeTradingWindow(market.id, {
      tradingEndsAt,
      reason: reason.trim(),
    })
    notify(`Trading ends ${dateTime(changed.tradingEndsAt)}.`)
    onDone()
  }
  return (
    <Confirm
      title="Change trading end"
      verb="Change trading end"
      isReady={endsAt !== '' && endsAt !== before && reason.trim() !== ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {market.tradingEndsAt === null
          ? 'Trading goes on until you close the market.'
          : `Trading ends ${dateTime(market.tradingEndsAt)}.`}{' '}
        Orders stay in the book. Every operator that trades here receives the new time and the
        reason.
      </p>
      <TextField
        name="Trading ends"
        type="datetime-local"
        value={endsAt}
        onValue={setEndsAt}
        isRequired
      />
      <TextField name="Reason" value={reason} onValue={setReason} isRequired />
    </Confirm>
  )
}
