// An operator's events on one connection, each once and without a gap: first the stored events,
// then live events as they are published. A client that falls behind is served from the store
// again, at its own pace.

import { expand, type StoredEventRecord } from '../../core/events/events.ts'
import type { Batch, TopicListener } from '../../feed/outbox.ts'
import type { EventPage, EventRecordRow, OperatorRow, RecordStore } from '../../store/store.ts'
import { type StoredEvents, storedEventsOf } from '../event-position.ts'
import { isOwnFault, refusalOfFault } from '../faults.ts'
import type { ShardAccess } from '../shards.ts'
import type { StreamContext } from './context.ts'
import { eventFrame } from './encode.ts'
import type { SendBuffer } from './send-buffer.ts'

const rowsPerRead = 100
const retryMs = 500

export type EventStreamOptions = {
  readonly context: Pick<StreamContext, 'now' | 'eventRetentionMs' | 'log' | 'reportFailure'>
  /** That of the operator. */
  readonly shard: Pick<ShardAccess, 'ids'> & { readonly reads: Pick<RecordStore, 'events'> }
  readonly sendBuffer: Pick<SendBuffer, 'isOpen' | 'isSlow' | 'isTooMuch' | 'send' | 'drained'>
  readonly operator: OperatorRow
  /** The sequence after which events are sent; null for live events only. */
  readonly since: number | null
  /** The database was restored while the stream was open: it sends nothing any more. */
  readonly onRewound: () => void
}

export class EventStream implements TopicListener {
  readonly #options: EventStreamOptions
  /** The last sequence that was sent; null until the first live event sets it. */
  #sent: number | null
  /** The history of the events that were sent; null until the store was read. */
  #historyId: string | null = null
  /** The last sequence that was published. */
  #published = 0
  #state: 'waiting' | 'reading' | 'live' | 'closed' = 'waiting'
  /** Events may have been missed since the store was read last. */
  #mayMiss = false

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#sent = options.since
  }

  /**
   * The events that are stored now. A `since` beyond the latest is reduced to it; without a
   * `since`, the events after the latest are sent.
   */
  async open(): Promise<StoredEvents> {
    const page = await this.#page(this.#sent ?? 0, 1)
    const stored = storedEventsOf(page)
    this.#sent = Math.min(this.#sent ?? stored.latestSequence, stored.latestSequence)
    this.#historyId = stored.historyId
    return stored
  }

  /** Nothing is sent before this, so that the answer to the subscription comes first. */
  start(): void {
    // Events may have been published since the store was read.
    if (this.#sent === null) this.#state = 'live'
    else void this.#read(this.#sent)
  }

  resync(): void {
    this.#mayMiss = true
    if (this.#state === 'live' && this.#sent !== null) void this.#read(this.#sent)
  }

  close(): void {
    this.#state = 'closed'
  }

  receive({ pieces, whole }: Batch): void {
    const { sendBuffer } = this.#options
    const first = pieces[0]!.number
    const last = pieces.at(-1)!.number
    const isRewound = last < this.#published
    this.#published = last
    if (this.#sent === null) this.#sent = first - 1
    if (this.#state !== 'live' || (last <= this.#sent && !isRewound)) return
    if (first === this.#sent + 1 && !sendBuffer.isTooMuch(whole.length)) {
      sendBuffer.send(whole)
      this.#sent = last
    } else void this.#read(this.#sent)
  }

  async #read(since: number): Promise<void> {
    this.#state = 'reading'
    let sent = since
    while (this.#isWanted) {
      try {
        this.#mayMiss = false
        const page = await this.#page(sent, rowsPerRead)
        if (this.#isOfOtherHistory(page, sent)) {
          this.close()
          this.#options.onRewound()
          return
        }
        // The events in between are no longer stored.
        sent = Math.max(sent, Math.min(page.earliestSequence - 1, this.#published))
        for (const row of page.rows) sent = await this.#sendRow(row, sent)
        this.#sent = sent
        if (page.hasMore || this.#published > sent || this.#mayMiss) continue
        if (this.#isWanted) this.#state = 'live'
        return
      } catch (error) {
        this.#report(error)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  #isOfOtherHistory({ historyId, lastSequence }: EventPage, sent: number): boolean {
    return historyId !== (this.#historyId ?? historyId) || lastSequence < sent
  }

  #report(error: unknown): void {
    const { log, reportFailure } = this.#options.context
    const event = 'reading events for a stream failed'
    if (isOwnFault(error, refusalOfFault(error))) reportFailure('stream', event, { error })
    else log.warn(event, { error: String(error) })
  }

  async #sendRow(row: EventRecordRow, sent: number): Promise<number> {
    const { context, operator, sendBuffer, shard } = this.#options
    if (sendBuffer.isSlow) await sendBuffer.drained()
    if (!this.#isWanted) return sent
    const { marketSerial, body, ...record } = row
    const events = expand(shard.ids, {
      ...record,
      operatorId: operator.id,
      marketSerial,
      body: JSON.parse(body) as StoredEventRecord['body'],
    }).filter(({ sequence }) => sequence > sent)
    const frames = events.map((event) => eventFrame(event, context.eventRetentionMs))
    sendBuffer.send(Buffer.concat(frames))
    return events.at(-1)?.sequence ?? sent
  }

  #page(since: number, limit: number) {
    const { context, operator, shard } = this.#options
    const notBefore = context.now() - context.eventRetentionMs
    const operatorNumber = operator.number
    const every = { types: null, marketSerial: null }
    return shard.reads.events({ operatorNumber, since, ...every, limit, notBefore })
  }

  get #isWanted(): boolean {
    return this.#state !== 'closed' && this.#options.sendBuffer.isOpen
  }
}
