// The brake that concerns the signed-in user on every page: that of the exchange, or the operator's
// own. Brakes on one player are shown on its page.

import { computed, signal } from '@preact/signals'
import { useCallback, useEffect } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { useEvents } from '../live/events.ts'
import { usePolling } from '../loaded.ts'
import { session } from '../session.ts'
import type { Brake } from '../wire.ts'
import { strictestOf } from './modes.ts'

/** The brake on the exchange causes no event at operators without orders. */
const pollMs = 10_000

const ofExchange = signal<Brake | null>(null)
const ofOperator = signal<Brake | null>(null)

/** null while trading is open, and until it is known. */
const brakeInForce = computed(() =>
  strictestOf([
    { scope: 'EXCHANGE', brake: ofExchange.value },
    { scope: 'OPERATOR', brake: ofOperator.value },
  ]),
)

/** What is known stays if it cannot be loaded. */
export async function loadBrakeInForce(): Promise<void> {
  const who = session.peek()
  const load = async (into: typeof ofExchange, brake: Promise<Brake>) => {
    const loaded = await brake
    if (session.peek() === who) into.value = loaded
  }
  if (who === null) return
  const loads =
    who.kind === 'admin'
      ? [load(ofExchange, exchange().admin.controls())]
      : [load(ofExchange, statusOf()), load(ofOperator, exchange().controls.get())]
  await Promise.allSettled(loads)
}

/** The end of the brake on the exchange is shown to the administrator only. */
export async function statusOf(): Promise<Brake> {
  const { mode, reason, since } = await exchange().controls.status()
  return { mode, reason, until: null, updatedAt: since }
}

/** Keeps it up to date while the component is shown. */
export function useBrakeInForce() {
  const who = session.value
  useEffect(() => {
    ofExchange.value = null
    ofOperator.value = null
    loadBrakeInForce()
  }, [who])
  usePolling(
    useCallback(() => void loadBrakeInForce(), []),
    pollMs,
  )
  useEvents((event) => {
    if (event === null || event.eventType === 'CONTROLS_CHANGED') loadBrakeInForce()
  })
  return brakeInForce.value
}
