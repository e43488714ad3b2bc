// When the tables are derived from committed turns: as soon as a read needs them, when there is
// enough for one transaction, or after a short time. Reads that wait share a derivation.

import { assert } from '../../core/assert.ts'
import { StoreUnavailable } from '../store.ts'
import { DerivedProgress } from './derived-progress.ts'
import { stepBytes } from './deriver.ts'

/** The longer, the more turns share a transaction, and the longer the next read waits for it. */
const afterMs = 250
const retryMs = 1_000
/** Commits wait while so many bytes of turns are not in the tables, as disk-reserve.ts assumes. */
const pendingBytesMax = 4 * stepBytes
/** One that runs, and one that starts right after it, without a turn of the event loop. */
const callsMax = 2

/** Derives at least up to that command, and returns the command up to which it did. */
type Derive = (to: number) => Promise<number>
type DerivedTablesOptions = {
  readonly progress?: DerivedProgress
  /** The tables could not be derived, after they could before; they are tried again. */
  readonly onFailure?: ((cause: Error) => void) | undefined
}

type Pending = { readonly to: number; readonly bytes: number }

export class DerivedTables {
  readonly #derive: Derive
  readonly #progress: DerivedProgress
  readonly #reportFailure: (cause: Error) => void
  #hasFailed = false
  /** Committed turns by their last command. */
  #pending: Pending[] = []
  #pendingBytes = 0
  #derivedTo = 0
  /** The last command that is needed, and that which the last call derives. */
  #neededTo = 0
  #calledTo = 0
  /** How many have not ended, and what is settled when the next one does. */
  #calls = 0
  #nextEnd = newEnd()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(derive: Derive, { progress, onFailure }: DerivedTablesOptions = {}) {
    this.#derive = derive
    this.#progress = progress ?? new DerivedProgress()
    this.#reportFailure = onFailure ?? (() => undefined)
  }

  /** The tables have everything up to that command. */
  get derivedTo(): number {
    return this.#derivedTo
  }

  /** Of committed turns that the tables do not have. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  /** The tables have everything. */
  onClaimed(commandSequence: number): void {
    this.#onDerived(commandSequence)
    this.#progress.setDerived(commandSequence)
  }

  onCommitted(to: number, bytes: number): void {
    // The writer may have found it in the file before its commit was known here.
    if (to <= this.#derivedTo) return
    this.#pending.push({ to, bytes })
    this.#pendingBytes += bytes
    this.#schedule()
  }

  /** The last command that is committed now; the tables will have it soon. */
  request(): number {
    const to = this.#committedTo
    this.#inBackground(to)
    return to
  }

  /** Until everything that is committed now is in the tables. Throws StoreUnavailable. */
  async untilCurrent(): Promise<void> {
    const to = this.#committedTo
    while (this.#derivedTo < to) await this.#need(to)
  }

  /** Until another turn may be committed. Throws StoreUnavailable. */
  async untilAccepting(): Promise<void> {
    while (this.#pendingBytes >= pendingBytesMax) await this.#need(this.#committedTo)
  }

  /** Nothing is derived any more; waits for a derivation that runs. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTimer()
    this.#progress.setClosed()
    while (this.#calls > 0) await this.#nextEnd.promise.catch(() => undefined)
  }

  get #committedTo(): number {
    return this.#pending.at(-1)?.to ?? this.#derivedTo
  }

  #schedule(): void {
    if (this.#isClosed || this.#calls > 0 || this.#pending.length === 0) return
    if (this.#pendingBytes >= stepBytes) this.#inBackground(this.#committedTo)
    else if (this.#timer === null) this.#deriveAfter(afterMs)
  }

  #deriveAfter(ms: number): void {
    this.#stopTimer()
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#inBackground(this.#committedTo)
    }, ms)
  }

  /** It does not matter here if it fails: it is reported and tried again, or the service ends. */
  #inBackground(to: number): void {
    if (this.#derivedTo < to) this.#need(to).catch(() => undefined)
  }

  /** Resolves when a derivation ends, which may not reach that command. */
  #need(to: number): Promise<void> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The store is closed.'))
    this.#neededTo = Math.max(this.#neededTo, to)
    this.#callIfNeeded()
    assert(this.#calls > 0, 'what is needed is being derived')
    return this.#nextEnd.promise
  }

  #callIfNeeded(): void {
    if (this.#calls >= callsMax || this.#calledTo >= this.#neededTo) return
    this.#calls += 1
    this.#calledTo = this.#neededTo
    this.#stopTimer()
    this.#derive(this.#calledTo).then(
      (derivedTo) => this.#onEnd(derivedTo),
      (error) => this.#onFailure(error),
    )
  }

  #onEnd(derivedTo: number): void {
    this.#hasFailed = false
    this.#onDerived(derivedTo)
    this.#endCall().resolve()
    if (!this.#isClosed) this.#callIfNeeded()
    this.#schedule()
  }

  #onFailure(error: unknown): void {
    if (!this.#hasFailed && error instanceof Error) this.#reportFailure(error)
    this.#hasFailed = true
    this.#progress.setFailed()
    this.#neededTo = this.#derivedTo
    this.#calledTo = this.#derivedTo
    if (!this.#isClosed) this.#deriveAfter(retryMs)
    this.#endCall().reject(error)
  }

  #endCall(): PromiseWithResolvers<void> {
    this.#calls -= 1
    const ended = this.#nextEnd
    this.#nextEnd = newEnd()
    return ended
  }

  #onDerived(to: number): void {
    this.#derivedTo = Math.max(this.#derivedTo, to)
    this.#pending = this.#pending.filter((turn) => turn.to > to)
    this.#pendingBytes = this.#pending.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}

function newEnd(): PromiseWithResolvers<void> {
  const end = Promise.withResolvers<void>()
  // A derivation in the background may fail without a read that waits for it.
  end.promise.catch(() => undefined)
  return end
}
