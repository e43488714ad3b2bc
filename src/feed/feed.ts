// Webhook deliveries of committed events, and the deletion of expired events.

import type { EventTrace } from '../core/events/committed-turn.ts'
import type { Ids } from '../core/ids.ts'
import type { ReportFailure } from '../ops/edge-failures.ts'
import type { Log } from '../ops/log.ts'
import type { OperatorEventRow, ShardStore } from '../store/store.ts'
import { Retention, type RetentionOptions } from './retention.ts'
import { realTiming } from './timing.ts'
import { Dispatcher, type DispatcherOptions, type WebhookSource } from './webhooks/dispatch.ts'
import { publicResolve, systemResolve } from './webhooks/resolve.ts'
import { type AddressFilter, WebhookSender } from './webhooks/webhook-sender.ts'

type FeedStore = 'ownedUntil' | 'prune' | 'reads' | 'readsFor' | 'webhookCursors' | 'webhookLog'

export type FeedOptions = {
  readonly store: Pick<ShardStore, FeedStore>
  readonly ids: Ids
  readonly webhooks: WebhookSource
  readonly addressFilter: AddressFilter
  /** For development: host names are resolved by the machine, its hosts file included. */
  readonly allowsPrivateNames: boolean
  readonly now: () => number
  readonly wall: () => number
  readonly eventRetentionMs: number
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly reportFailure: ReportFailure
  readonly metrics: RetentionOptions['metrics'] & DispatcherOptions['metrics']
}

export class Feed {
  readonly dispatcher: Dispatcher
  readonly #retention: Retention

  constructor({ store, addressFilter, allowsPrivateNames, now, wall, ...options }: FeedOptions) {
    const timing = realTiming({ now, wall }, options.reportFailure)
    const resolve = allowsPrivateNames ? systemResolve : publicResolve()
    this.#retention = new Retention({ ...options, store, timing })
    this.dispatcher = new Dispatcher({
      ...options,
      cursors: store.webhookCursors,
      isOwner: () => performance.now() < store.ownedUntil(),
      attempts: store.webhookLog,
      reads: store.reads,
      readsFor: store.readsFor,
      sender: new WebhookSender({ addressFilter, resolve }),
      timing,
    })
  }

  async start(): Promise<void> {
    await this.dispatcher.start()
    this.#retention.start()
  }

  onCommitted(eventRows: readonly OperatorEventRow[], traces: readonly EventTrace[]): void {
    this.dispatcher.onCommitted(eventRows, traces)
  }

  /** Waits for running attempts of webhooks for at most so long. */
  async stop(waitMs?: number): Promise<void> {
    await Promise.all([this.dispatcher.stop(waitMs), this.#retention.stop()])
  }
}
