// The log of delivery attempts, with which operators see why deliveries fail. Attempts are stored
// together, once a second or when the log is read, so that they cost the store very little.

import type { Log } from '../../ops/log.ts'
import type {
  AttemptPage,
  AttemptQuery,
  AttemptRow,
  LogState,
  RecordStore,
  WebhookLogStore,
} from '../../store/store.ts'
import type { CancelTimer, Timing } from '../timing.ts'

/** `id` is that of the delivery. */
export type Attempt = Omit<AttemptRow, 'webhookId' | 'number' | 'deliveryId'> & {
  readonly id: string
}

export type AttemptLogOptions = {
  readonly store: WebhookLogStore
  readonly states: RecordStore['webhookLogStates']
  readonly timing: Timing
  readonly log: Pick<Log, 'warn'>
}

type Pending = { readonly webhookId: string; readonly minute: number; readonly attempt: Attempt }
type Batch = Parameters<WebhookLogStore['add']>[0] & { readonly states: Map<string, LogState> }

const everyMs = 1_000
/** Attempts that are not stored yet; beyond it, the oldest are dropped. */
export const pendingMax = 20_000
export const attemptsPerWriteMax = 500
const statesMax = 10_000
const minuteMs = 60_000

export class AttemptLog {
  readonly #options: AttemptLogOptions
  /** In the order in which they have ended. */
  #pending: Pending[] = []
  /** Where the logs of webhooks go on; the one with the latest attempt is the last. */
  readonly #states = new Map<string, LogState>()
  #cancelTimer: CancelTimer | null = null
  #writing: Promise<void> = Promise.resolve()
  #dropped = 0
  #isStopped = false

  constructor(options: AttemptLogOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#isStopped) return
    this.#cancelTimer = this.#options.timing.after(everyMs, () => {
      void this.#write().finally(() => this.start())
    })
  }

  add(webhookId: string, attempt: Attempt): void {
    const minute = Math.floor(this.#options.timing.now() / minuteMs)
    this.#pending.push({ webhookId, minute, attempt })
    if (this.#pending.length <= pendingMax) return
    this.#pending.shift()
    this.#dropped += 1
  }

  /** Forgets what is not stored yet of a webhook. */
  delete(webhookId: string): void {
    this.#pending = this.#pending.filter((each) => each.webhookId !== webhookId)
    this.#states.delete(webhookId)
  }

  /** Newest first, with those that have just ended. */
  async page(query: AttemptQuery, read: RecordStore['webhookAttempts']): Promise<AttemptPage> {
    await this.flush(query.webhookId)
    return read(query)
  }

  /** Stores what has ended, if an attempt of the webhook has. */
  async flush(webhookId: string): Promise<void> {
    if (this.#pending.some((each) => each.webhookId === webhookId)) await this.#write()
  }

  /** Stores what has ended for the last time. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer?.()
    await this.#write()
  }

  /** One write after the other. */
  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writePending())
    return this.#writing
  }

  async #writePending(): Promise<void> {
    const { store, log } = this.#options
    try {
      for (let left = this.#pending.length; left > 0; left -= attemptsPerWriteMax) {
        const slice = this.#pending.slice(0, attemptsPerWriteMax)
        if (slice.length === 0) break
        const { attempts, minutes, states } = await this.#batchOf(slice)
        await store.add({ attempts, minutes })
        this.#keep(states)
        const stored = new Set(slice)
        this.#pending = this.#pending.filter((each) => !stored.has(each))
      }
      if (this.#dropped > 0) log.warn('webhook attempts not logged', { count: this.#dropped })
      this.#dropped = 0
    } catch (error) {
      // The next write is in a second, with the same numbers: to repeat a write changes nothing.
      log.warn('webhook attempts not stored', { error })
    }
  }

  async #batchOf(slice: readonly Pending[]): Promise<Batch> {
    const states = await this.#statesOf(slice)
    const minutes = new Map<string, LogState>()
    const attempts = slice.map(({ webhookId, minute, attempt }) => {
      const before = states.get(webhookId)!
      const isSame = before.minute === minute
      const isDelivered = attempt.status === 'DELIVERED'
      const state = {
        webhookId,
        minute,
        number: before.number + 1,
        delivered: (isSame ? before.delivered : 0) + (isDelivered ? 1 : 0),
        failed: (isSame ? before.failed : 0) + (isDelivered ? 0 : 1),
      }
      states.set(webhookId, state)
      minutes.set(`${webhookId} ${minute}`, state)
      const { id: deliveryId, ...rest } = attempt
      return { ...rest, webhookId, deliveryId, number: state.number }
    })
    return { attempts, states, minutes: Array.from(minutes.values(), minuteOf) }
  }

  /** Of the webhooks of these attempts; those that are not known are read. */
  async #statesOf(slice: readonly Pending[]): Promise<Map<string, LogState>> {
    const ids = [...new Set(slice.map(({ webhookId }) => webhookId))]
    const unknown = ids.filter((id) => !this.#states.has(id))
    const minute = slice[0]!.minute
    const read = await (unknown.length === 0
      ? []
      : this.#options.states({ webhookIds: unknown, minute }))
    const known = ids.flatMap((id) => this.#states.get(id) ?? [])
    return new Map([...known, ...read].map((state) => [state.webhookId, state]))
  }

  #keep(states: ReadonlyMap<string, LogState>): void {
    for (const [webhookId, state] of states) {
      this.#states.delete(webhookId)
      this.#states.set(webhookId, state)
    }
    for (const webhookId of this.#states.keys()) {
      if (this.#states.size <= statesMax) break
      this.#states.delete(webhookId)
    }
  }
}

function minuteOf({ webhookId, minute, delivered, failed }: LogState) {
  return { webhookId, minute, delivered, failed }
}
