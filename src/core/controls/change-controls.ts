// Putting a brake on a player, an operator or the whole exchange, and releasing it: by command, or
// by itself when its time is over. With a brake come the limits of a player.

import { invalid, type Reject } from '../reject.ts'
import {
  type Controls,
  type ControlsHolder,
  type ControlsTerms,
  isPlain,
  recordOf,
  termsAt,
} from '../state/controls.ts'
import type { Exchange } from '../state/exchange.ts'
import { areSameLimits } from '../state/limits.ts'
import type { Operator } from '../state/operator.ts'
import { keepOpenBuys } from './keep-open-buys.ts'
import { startSweep } from './sweep.ts'
import { writeControls } from './write-controls.ts'

export type ChangeControls = ControlsTerms & {
  readonly holder: ControlsHolder
  /** Whether the orders that the mode does not leave open are cancelled. */
  readonly cancelsOrders: boolean
  /** Of the exchange: as the registry counts its changes; an earlier one changes nothing. */
  readonly version?: number
}

/** In force at once. The orders are cancelled by continueSweep. */
export function changeControls(exchange: Exchange, command: ChangeControls): Reject | null {
  const { holder, version = 0 } = command
  const known = exchange.knownControlsOf(holder)
  if (holder.kind === 'EXCHANGE') {
    if (version <= (known?.version ?? 0)) return null
  } else if (command.until !== null && command.until <= exchange.now) {
    return invalid('until', 'must be in the future')
  }
  const { mode, reason, until, limits } = command
  const isNothing = mode === 'OPEN' && limits === null
  if (known === null && isNothing && version === 0) return null
  if (known !== null && isRepeated(known, command)) {
    if (version > known.version) keepVersion(exchange, known, version)
    return null
  }

  exchange.begin()
  const controls = exchange.controlsOf(holder)
  controls.terms = termsAt({ mode, reason, until, limits }, exchange.now)
  controls.version = version
  if (controls.mode === 'OPEN' || !command.cancelsOrders) controls.endSweep()
  else startSweep(exchange, controls)
  writeChange(exchange, controls)
  return null
}

// A repetition while the orders are being cancelled waits for the same end.
function isRepeated({ sweep, terms }: Controls, command: ChangeControls): boolean {
  if (sweep === null || !command.cancelsOrders) return false
  const names = ['mode', 'reason', 'until'] as const
  if (!areSameLimits(terms.limits, command.limits)) return false
  return names.every((name) => terms[name] === command[name])
}

// Or the registry's row would be obeyed, and announced, once more after a restart.
function keepVersion(exchange: Exchange, controls: Controls, version: number): void {
  exchange.begin()
  controls.version = version
  writeControls(exchange, controls, [])
}

/** Those whose time is over are OPEN again; at most so many. Returns how many they were. */
export function releaseDue(exchange: Exchange, atMost: number): number {
  let released = 0
  for (; released < atMost && exchange.releases.isDue(exchange.now); released += 1) {
    const controls = exchange.allControls.at(exchange.releases.first())
    exchange.begin()
    controls.terms = termsAt(controls.terms, exchange.now)
    controls.endSweep()
    writeChange(exchange, controls)
  }
  return released
}

/** Keeps the time at which it is OPEN again on the schedule. */
export function scheduleRelease(exchange: Exchange, { handle, terms }: Controls): void {
  exchange.releases.remove(handle)
  if (terms.until !== null) exchange.releases.add(handle, terms.until, handle)
}

function writeChange(exchange: Exchange, controls: Controls): void {
  controls.changedAt = exchange.now
  scheduleRelease(exchange, controls)
  const audience = audienceOf(exchange, controls)
  const { holder, mode } = controls
  if (holder.kind === 'EXCHANGE') {
    controls.audienceIds = mode === 'OPEN' ? [] : audience.map(({ id }) => id)
  }
  writeControls(exchange, controls, audience)
  if (isPlain(recordOf(controls))) exchange.forgetControls(controls)
  keepOpenBuys(exchange, holder)
}

// The event about a brake on the exchange goes to the operators whose orders it cancels, and to
// those that had one about the brake before.
function audienceOf(exchange: Exchange, controls: Controls): readonly Operator[] {
  const { audienceIds, holder, sweep } = controls
  if (holder.kind !== 'EXCHANGE') return [exchange.operator(holder.operatorId)!]
  const audience = new Set(audienceIds.map((id) => exchange.operator(id)!))
  for (const serial of sweep?.left ?? []) {
    audience.add(exchange.playerOf(exchange.orders.find(serial)).operator)
  }
  return [...audience]
}
