// A brake on trading: what a player, an operator or the whole exchange may not do at present. The
// limits of players are part of it.

import type { Serial } from '../ids.ts'
import type { Handle } from '../memory/slots.ts'
import type { ControlScope, TradingMode } from '../words.ts'
import type { Limits } from './limits.ts'

export type ControlsHandle = Handle<'controls'>

/**
 * Whose brake it is: that of the administrator on the exchange or on an operator, of the operator
 * on itself, or of the operator on one of its players.
 */
export type ControlsHolder =
  | { readonly kind: 'EXCHANGE' }
  | { readonly kind: 'ADMINISTRATOR' | 'OPERATOR'; readonly operatorId: string }
  | { readonly kind: 'PLAYER'; readonly operatorId: string; readonly playerId: string }

/** In the order in which rows name them. */
export const controlsHolders = ['EXCHANGE', 'ADMINISTRATOR', 'OPERATOR', 'PLAYER'] as const

/** What was requested last; it is replaced as a whole. */
export type ControlsTerms = {
  readonly mode: TradingMode
  /** Why; null only while the mode is OPEN. */
  readonly reason: string | null
  /** When it is OPEN again by itself; the limits stay. */
  readonly until: number | null
  /** Of a player, or the defaults of an operator for its players; null for none. */
  readonly limits: Limits | null
}

/** Cancelling the orders that a mode does not leave open. */
export type Sweep = {
  /** How many orders it has cancelled so far. */
  cancelled: number
  /** Those that are left, last first; null until they have been looked for. */
  left: Serial[] | null
}

const openTerms: ControlsTerms = { mode: 'OPEN', reason: null, until: null, limits: null }

export class Controls {
  readonly handle: ControlsHandle
  readonly holder: ControlsHolder
  terms = openTerms
  changedAt = 0
  /** Of the exchange: how often it was changed, as the registry counts it. 0 for all others. */
  version = 0
  /** Of the exchange: the operators that had an event about the brake. */
  audienceIds: readonly string[] = []
  sweep: Sweep | null = null
  /** How many orders the last sweep has cancelled that has ended since the memory was loaded. */
  cancelled = 0

  constructor(handle: ControlsHandle, holder: ControlsHolder) {
    this.handle = handle
    this.holder = holder
  }

  endSweep(): void {
    this.cancelled = this.sweep?.cancelled ?? 0
    this.sweep = null
  }

  get mode(): TradingMode {
    return this.terms.mode
  }

  /** As the callers see it: the administrator's brake on an operator is one of its scope. */
  get scope(): ControlScope {
    const { kind } = this.holder
    return kind === 'ADMINISTRATOR' ? 'OPERATOR' : kind
  }

  /** As operators see it: the administrator's reasons are its own. */
  get shownReason(): string | null {
    const { kind } = this.holder
    return kind === 'PLAYER' || kind === 'OPERATOR' ? this.terms.reason : null
  }
}

/** Whether they say what is so without them. */
export function isPlain({ terms, version }: Pick<ControlsRecord, 'terms' | 'version'>): boolean {
  return terms.mode === 'OPEN' && terms.limits === null && version === 0
}

/** As it is saved. */
export type ControlsRecord = {
  readonly holder: ControlsHolder
  readonly terms: ControlsTerms
  readonly changedAt: number
  readonly version: number
  readonly audienceIds: readonly string[]
  /** How many orders a sweep that is under way has cancelled; null without one. */
  readonly sweptOrders: number | null
}

export function recordOf(controls: Controls): ControlsRecord {
  const { changedAt, holder, sweep, terms, audienceIds, version } = controls
  return { holder, terms, changedAt, version, audienceIds, sweptOrders: sweep?.cancelled ?? null }
}

/** What is in force at a time: from `until` on it is OPEN, even before the event about it. */
export function termsAt(terms: ControlsTerms, now: number): ControlsTerms {
  if (terms.until === null || terms.until > now) return terms
  return { ...openTerms, limits: terms.limits }
}
