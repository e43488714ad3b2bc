// Webhooks: where an operator wants to be told of events, and the secret that signs them.

import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { eventTypes } from '../core/words.ts'
import type { OperatorRow, WebhookRow } from '../store/store.ts'
import type { RecordCache } from './record-cache.ts'
import {
  invalid,
  operatorNotFound,
  quoted,
  type RegistryReject,
  webhookNotFound,
} from './reject.ts'
import type { Seal } from './secrets-key.ts'
import { descriptionLengthMax, textFault } from './text-checks.ts'
import { newUuid } from './uuid.ts'
import { webhookUrlFault } from './webhook-url.ts'
import type { Writes } from './write-queue.ts'

export type NewWebhook = {
  readonly url: string
  /** Empty for all. */
  readonly events: readonly string[]
  readonly description: string | null
}
export type WebhookChanges = Partial<NewWebhook & { readonly isActive: boolean }>

/** A URL that is not named is not judged. */
type Named = Omit<NewWebhook, 'url'> & { readonly url: string | undefined }

export type WebhooksOptions = {
  readonly cache: RecordCache<WebhookRow>
  readonly writes: Writes
  readonly now: () => number
  readonly seal: Seal
  readonly operatorOf: (id: string) => OperatorRow | undefined
  /** For development: plain http, and private addresses. */
  readonly allowInsecure: boolean
  /** Tells whoever delivers; awaited once the change is durable and seen. */
  readonly onChanged: (id: string) => Promise<void>
}

export const webhooksMax = 20
const secretBytes = 32

export class Webhooks {
  readonly #options: WebhooksOptions

  constructor(options: WebhooksOptions) {
    this.#options = options
  }

  /** Newest first. */
  list(operatorId: string): readonly WebhookRow[] {
    return this.#options.cache.of(operatorId)
  }

  /** Of all operators. */
  all(): Iterable<WebhookRow> {
    return this.#options.cache.all()
  }

  /** Whoever's it is. */
  find(id: string): WebhookRow | undefined {
    return this.#options.cache.get(id)
  }

  /** undefined for another operator's, too. */
  get(operatorId: string, id: string): WebhookRow | undefined {
    const webhook = this.#options.cache.get(id)
    return webhook?.operatorId === operatorId ? webhook : undefined
  }

  /** Throws SealBroken where the secret was sealed with another key. */
  secretOf(webhook: WebhookRow): string {
    return this.#options.seal.open(webhook.sealedSecret, ownerOf(webhook))
  }

  /** The secret is shown whole here and never again. */
  async create(
    operatorId: string,
    wanted: NewWebhook,
  ): Promise<{ readonly webhook: WebhookRow; readonly secret: string } | RegistryReject> {
    const { cache, writes, now, seal, operatorOf, onChanged } = this.#options
    const fault = this.#faultOf(wanted)
    if (fault !== null) return fault
    return writes.run(async () => {
      if (operatorOf(operatorId) === undefined) return operatorNotFound
      if (cache.countOf(operatorId) >= webhooksMax) return limitReached
      const createdAt = now()
      const id = newUuid(createdAt)
      const secret = randomBytes(secretBytes).toString('hex')
      const webhook: WebhookRow = {
        id,
        operatorId,
        url: wanted.url,
        sealedSecret: seal.close(secret, ownerOf({ operatorId, id })),
        events: [...wanted.events],
        isActive: true,
        description: wanted.description,
        createdAt,
        updatedAt: createdAt,
      }
      await cache.put(webhook)
      await onChanged(id)
      return { webhook, secret }
    })
  }

  async update(
    operatorId: string,
    id: string,
    changes: WebhookChanges,
  ): Promise<WebhookRow | RegistryReject> {
    const { cache, writes, now, onChanged } = this.#options
    return writes.run(async () => {
      const known = this.get(operatorId, id)
      if (known === undefined) return webhookNotFound
      const {
        url = known.url,
        events = known.events,
        description = known.description,
        isActive = known.isActive,
      } = changes
      const changed = { url, events: [...events], description, isActive }
      const webhook = { ...known, ...changed, updatedAt: now() }
      // A URL taken under other settings must not keep its owner from switching it off.
      const fault = this.#faultOf({ ...webhook, url: changes.url })
      if (fault !== null) return fault
      await cache.put(webhook)
      await onChanged(id)
      return webhook
    })
  }

  async delete(operatorId: string, id: string): Promise<null | RegistryReject> {
    const { cache, writes, onChanged } = this.#options
    return writes.run(async () => {
      const webhook = this.get(operatorId, id)
      if (webhook === undefined) return webhookNotFound
      await cache.delete(webhook)
      await onChanged(id)
      return null
    })
  }

  /** Takes what is stored; told of are those that differ from what was known. */
  async fill(rows: readonly WebhookRow[], { isStart }: { isStart: boolean }): Promise<void> {
    const { cache, onChanged } = this.#options
    const known = new Map([...cache.all()].map((row) => [row.id, row]))
    cache.fill(rows)
    if (isStart) return
    const changed = rows.filter((row) => !isDeepStrictEqual(known.get(row.id), row))
    const gone = [...known.keys()].filter((id) => cache.get(id) === undefined)
    for (const id of [...changed.map((row) => row.id), ...gone]) await onChanged(id)
  }

  #faultOf({ url, events, description }: Named): RegistryReject | null {
    const { allowInsecure } = this.#options
    return (
      (url === undefined ? null : webhookUrlFault(url, { allowInsecure })) ??
      eventsFault(events) ??
      textFault('description', description, descriptionLengthMax)
    )
  }
}

const limitReached: RegistryReject = {
  code: 'WEBHOOK_LIMIT',
  message: `The operator has ${webhooksMax} webhooks, which is the most.`,
}

function eventsFault(events: readonly string[]): RegistryReject | null {
  const wrong = events.find((event) => !eventTypes.some((type) => type === event))
  if (wrong !== undefined) {
    return invalid('events', `${quoted(wrong)} is not one of ${eventTypes.join(', ')}.`)
  }
  const twice = events.find((event, at) => events.indexOf(event) !== at)
  return twice === undefined ? null : invalid('events', `${quoted(twice)} is there twice.`)
}

function ownerOf({ operatorId, id }: Pick<WebhookRow, 'operatorId' | 'id'>): string {
  return `${operatorId}/${id}`
}
