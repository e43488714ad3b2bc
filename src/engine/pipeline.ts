// Turns in flight: sent to the store and not known to be committed yet. At most a few at once, in
// order. If the commit of one fails, the commits of all later ones fail, too.

import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Exchange } from '../core/state/exchange.ts'
import { CommitFailure, type ShardHead, type ShardStore } from '../store/store.ts'
import { CommitUnknown, NotOwner, Unavailable } from './commands.ts'
import type { Turn } from './turn.ts'

// One is being written. With only one more in flight, the writer would be idle while the engine
// answers the callers of a large turn. With small turns there are seldom more than two.
const inFlightMax = 3
// Two large turns keep the writer busy, because it needs longer for one than the engine. A third
// would only make every command wait longer for its answer.
const inFlightCostMax = 512
/** How long the turns of a lost shard are looked up, if the store cannot be read. */
const lookupMsMax = 5_000
const lookupRetryMs = 200

type PendingCommit = {
  readonly turn: Turn
  readonly batchId: string
  /** The commandSequence before the turn. */
  readonly from: number
  /** The commandSequence of the last command in the turn. */
  readonly to: number
  readonly onDone: (() => void)[]
}

export type PipelineEvents = {
  readonly onCommitted: (turn: Turn, commitSeconds: number) => void
  /** A commit failed. `isLast` says that no further turn is in flight. */
  readonly onFailed: (isLast: boolean) => void
  /** A turn whose commit failed with an unknown outcome was found to be committed. */
  readonly onFoundCommitted: (turn: Turn) => void
  /** One of the above has failed. */
  readonly onBroken: (error: unknown) => void
}

export class Pipeline {
  readonly #store: ShardStore
  readonly #events: PipelineEvents
  #epoch: number
  /** The commandSequence up to which everything is known to be committed. */
  #committedTo: number
  #inFlight: PendingCommit[] = []
  readonly #failed: { readonly pending: PendingCommit; readonly error: unknown }[] = []

  constructor(store: ShardStore, head: ShardHead, events: PipelineEvents) {
    this.#store = store
    this.#events = events
    this.#epoch = head.epoch
    this.#committedTo = head.commandSequence
  }

  get epoch(): number {
    return this.#epoch
  }

  get isFull(): boolean {
    if (this.#inFlight.length >= inFlightMax) return true
    const cost = this.#inFlight.reduce((sum, { turn }) => sum + turn.cost, 0)
    return cost >= inFlightCostMax
  }

  get isEmpty(): boolean {
    return this.#inFlight.length === 0
  }

  /** Resolves when every turn that is in flight now is committed or has failed. */
  whenInFlightDone(): Promise<void> {
    const last = this.#inFlight.at(-1)
    if (last === undefined) return Promise.resolve()
    return new Promise((resolve) => last.onDone.push(resolve))
  }

  /**
   * A turn that changed nothing. Its answers may show changes of turns in flight, so they are sent
   * together with those of the last one.
   */
  followLast(turn: Turn): void {
    const last = this.#inFlight.at(-1)
    if (last === undefined) turn.answer()
    else last.turn.executed.push(...turn.executed)
  }

  commit(turn: Turn, { lastSerial, now, commandSequence: to }: Exchange, rows: Uint8Array): void {
    const from = this.#inFlight.at(-1)?.to ?? this.#committedTo
    const batchId = randomUUID()
    const pending: PendingCommit = { turn, batchId, from, to, onDone: [] }
    const startedAt = performance.now()
    this.#inFlight.push(pending)
    this.#store
      .commit({ epoch: this.#epoch, batchId, from, to, lastSerial, now, rows })
      .then(
        () => this.#succeed(pending, (performance.now() - startedAt) / 1_000),
        (error: unknown) => this.#fail(pending, error),
      )
      .catch(this.#events.onBroken)
  }

  #succeed(pending: PendingCommit, commitSeconds: number): void {
    this.#committedTo = pending.to
    this.#remove(pending)
    this.#events.onCommitted(pending.turn, commitSeconds)
  }

  #fail(pending: PendingCommit, error: unknown): void {
    this.#failed.push({ pending, error })
    this.#remove(pending)
    this.#events.onFailed(this.isEmpty)
  }

  #remove(pending: PendingCommit): void {
    this.#inFlight = this.#inFlight.filter((other) => other !== pending)
    for (const onDone of pending.onDone) onDone()
  }

  get hasFailed(): boolean {
    return this.#failed.length > 0
  }

  /**
   * Finds out which of the turns with a failed commit are committed after all, and answers or fails
   * their callers. Returns the errors of the commits.
   */
  async resolveFailed(): Promise<readonly unknown[]> {
    const errors = this.#failed.map(({ error }) => error)
    // Nothing of a turn is stored if the disk was full. In all other cases the shard is claimed
    // again, which also makes sure that no late commit of the old epoch can succeed.
    if (errors.some((error) => !isDiskFull(error))) {
      const head = await this.#store.claim()
      this.#epoch = head.epoch
      this.#committedTo = head.commandSequence
    }
    for (const { pending } of this.#failed.splice(0)) {
      const { to, turn } = pending
      if (to <= this.#committedTo) {
        turn.answer()
        this.#events.onFoundCommitted(turn)
      } else {
        turn.discard(new Unavailable('The command was not stored; send it again.'))
      }
    }
    return errors
  }

  /** The same, before the shard is released: an outcome that cannot be read now stays unknown. */
  async resolveLast(): Promise<void> {
    try {
      await this.resolveFailed()
    } finally {
      this.markUnknown()
    }
  }

  /**
   * Another process owns the shard, so that no commit can succeed any more: the store shows which
   * of the turns are committed.
   */
  async resolveLost(): Promise<void> {
    await this.whenInFlightDone()
    const deadline = performance.now() + lookupMsMax
    while (this.hasFailed && performance.now() < deadline) {
      try {
        await this.#lookUpFailed()
      } catch {
        await setTimeout(lookupRetryMs)
      }
    }
    this.markUnknown()
  }

  async #lookUpFailed(): Promise<void> {
    for (;;) {
      const [first] = this.#failed
      if (first === undefined) return
      const { batchId, from, turn } = first.pending
      const isStored = await this.#store.reads.hasTurn({ batchId, from })
      this.#failed.shift()
      if (isStored) turn.answer()
      else turn.discard(new NotOwner())
    }
  }

  /** Fails the callers of turns whose commit failed; the turns themselves are resolved later. */
  markUnknown(): void {
    for (const { pending } of this.#failed) pending.turn.discard(unknown())
  }

  /** The store has failed for good: also fails the callers of all turns in flight. */
  markAllUnknown(): void {
    for (const { turn } of this.#inFlight) turn.discard(unknown())
    this.markUnknown()
  }
}

function unknown(): CommitUnknown {
  return new CommitUnknown('It is not known whether the command was executed.')
}

/** Nothing of the turn is stored, because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof CommitFailure && error.outcome === 'aborted' && error.isFull
}
