// What goes out after a commit, and what is let go of when its time is over.

import type { EventRecord } from '../core/events/events.ts'
import type { Ids } from '../core/ids.ts'
import type { Log } from '../ops/log.ts'
import type { Store } from '../store/store.ts'
import { Retention, type RetentionOptions } from './retention.ts'
import { realTiming } from './timing.ts'
import { Dispatcher, type DispatcherOptions, type WebhookSource } from './webhooks/dispatch.ts'
import { publicResolve, systemResolve } from './webhooks/resolve.ts'
import { type AddressFilter, WebhookSender } from './webhooks/webhook-sender.ts'

export type FeedOptions = {
  readonly store: Pick<Store, 'shard' | 'reads' | 'webhookCursors'>
  readonly ids: Ids
  readonly webhooks: WebhookSource
  readonly guard: AddressFilter
  /** For development: names that only this machine knows are resolved, too. */
  readonly allowsPrivateNames: boolean
  readonly now: () => number
  readonly eventRetentionMs: number
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly metrics: RetentionOptions['metrics'] & DispatcherOptions['metrics']
}

export class Feed {
  readonly dispatcher: Dispatcher
  readonly #retention: Retention

  constructor({ store, guard, allowsPrivateNames, now, ...given }: FeedOptions) {
    const timing = realTiming(now)
    const resolve = allowsPrivateNames ? systemResolve : publicResolve()
    this.#retention = new Retention({ ...given, shard: store.shard, timing })
    this.dispatcher = new Dispatcher({
      ...given,
      cursors: store.webhookCursors,
      read: (query) => store.reads.events(query),
      sender: new WebhookSender({ guard, resolve }),
      timing,
    })
  }

  async start(): Promise<void> {
    await this.dispatcher.start()
    this.#retention.start()
  }

  /** A turn is durable. */
  stored(eventRecords: readonly EventRecord[]): void {
    this.dispatcher.stored(eventRecords)
  }

  async stop(): Promise<void> {
    await Promise.all([this.dispatcher.stop(), this.#retention.stop()])
  }
}
