// Turns on their way to the store: at most a few at once, in order. A turn is released when it
// is known to be stored; where one is not, all behind it are lost with it.

import { randomUUID } from 'node:crypto'
import type { Exchange } from '../core/state/exchange.ts'
import { CommitFailure, type PackedRows, type ShardHead, type ShardStore } from '../store/store.ts'
import { CommitUnknown, Unavailable } from './commands.ts'
import type { Turn } from './turn.ts'

// One is being written. With a single one behind it the writer would wait whenever a large turn is
// being answered; of small ones there are seldom more.
const inFlightMax = 3

type Flight = { readonly turn: Turn; readonly to: number; readonly onCommitted: (() => void)[] }

export type PipelineEvents = {
  readonly onStored: (turn: Turn, commitSeconds: number) => void
  /** A turn was not stored: none may follow until the last one behind it has landed, too. */
  readonly onFailed: (isLast: boolean) => void
  /** A turn that seemed lost is stored after all. */
  readonly onFound: (turn: Turn) => void
}

export class Pipeline {
  readonly #store: ShardStore
  readonly #events: PipelineEvents
  #epoch: number
  /** The sequence of the last turn that is known to be stored. */
  #storedTo: number
  #flights: Flight[] = []
  readonly #failed: { readonly flight: Flight; readonly error: unknown }[] = []

  constructor(store: ShardStore, head: ShardHead, events: PipelineEvents) {
    this.#store = store
    this.#events = events
    this.#epoch = head.epoch
    this.#storedTo = head.sequence
  }

  get isFull(): boolean {
    return this.#flights.length >= inFlightMax
  }

  get isEmpty(): boolean {
    return this.#flights.length === 0
  }

  /** When every turn that is on its way now has landed. */
  committed(): Promise<void> {
    const last = this.#flights.at(-1)
    if (last === undefined) return Promise.resolve()
    return new Promise((resolve) => last.onCommitted.push(resolve))
  }

  /** A turn that has changed nothing, but has seen those on their way: it lands with the last. */
  follow(turn: Turn): void {
    const last = this.#flights.at(-1)
    if (last === undefined) turn.release()
    else last.turn.decisions.push(...turn.decisions)
  }

  send(turn: Turn, { lastSerial, now, commandSequence: to }: Exchange, rows: PackedRows): void {
    const from = this.#flights.at(-1)?.to ?? this.#storedTo
    const flight: Flight = { turn, to, onCommitted: [] }
    const startedAt = performance.now()
    this.#flights.push(flight)
    const batchId = randomUUID()
    this.#store.commit({ epoch: this.#epoch, batchId, from, to, lastSerial, now, rows }).then(
      () => this.#succeed(flight, (performance.now() - startedAt) / 1_000),
      (error: unknown) => this.#fail(flight, error),
    )
  }

  #succeed(flight: Flight, commitSeconds: number): void {
    this.#storedTo = flight.to
    this.#finish(flight)
    this.#events.onStored(flight.turn, commitSeconds)
  }

  #fail(flight: Flight, error: unknown): void {
    this.#failed.push({ flight, error })
    this.#finish(flight)
    this.#events.onFailed(this.isEmpty)
  }

  #finish(flight: Flight): void {
    this.#flights = this.#flights.filter((other) => other !== flight)
    for (const committed of flight.onCommitted) committed()
  }

  get hasFailed(): boolean {
    return this.#failed.length > 0
  }

  /** Finds out what became of the turns that failed and answers them; says why they did. */
  async settleFailed(): Promise<readonly unknown[]> {
    const errors = this.#failed.map(({ error }) => error)
    // Only who takes the shard anew can tell; but where the disk was full nothing is unclear.
    if (errors.some((error) => !isSurelyFull(error))) {
      const head = await this.#store.take()
      this.#epoch = head.epoch
      this.#storedTo = head.sequence
    }
    for (const { flight } of this.#failed.splice(0)) {
      if (this.#storedTo < flight.to) {
        flight.turn.discard(new Unavailable('The turn could not be stored.'))
        continue
      }
      flight.turn.release()
      this.#events.onFound(flight.turn)
    }
    return errors
  }

  /** Whoever waits for a turn that failed is told that nobody knows; it is settled all the same. */
  markUnknown(): void {
    for (const { flight } of this.#failed) flight.turn.discard(unknown())
  }

  /** The store is lost, and with it the knowledge of what it took. */
  giveUp(): void {
    for (const { turn } of this.#flights) turn.discard(unknown())
    this.markUnknown()
  }
}

function unknown(): CommitUnknown {
  return new CommitUnknown('It is not known whether the command was carried out.')
}

/** Nothing of the turn is stored, for want of room. */
export function isSurelyFull(error: unknown): boolean {
  return error instanceof CommitFailure && error.outcome === 'aborted' && error.isFull
}
