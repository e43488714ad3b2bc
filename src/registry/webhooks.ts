// Webhooks: the URLs to which an operator's events are delivered, and the secrets that sign them.

import { isDeepStrictEqual } from 'node:util'
import { eventTypes } from '../core/words.ts'
import type {
  Changed,
  OperatorRow,
  RetrySchedule,
  WebhookFormat,
  WebhookRow,
} from '../store/store.ts'
import type { RecordCache } from './record-cache.ts'
import {
  invalid,
  operatorNotFound,
  quoted,
  type RegistryReject,
  webhookNotFound,
} from './reject.ts'
import type { SecretsKey } from './secrets-key.ts'
import { checkText, descriptionLengthMax } from './text-checks.ts'
import { newUuid } from './uuid.ts'
import { type SigningSecrets, WebhookSecrets } from './webhook-secrets.ts'
import { checkWebhookUrl } from './webhook-url.ts'
import type { WriteQueue } from './write-queue.ts'

export type NewWebhook = {
  readonly url: string
  /** Empty for all types. */
  readonly events: readonly string[]
  readonly description: string | null
  readonly retrySchedule?: RetrySchedule
  readonly format?: WebhookFormat
}
export type WebhookChanges = Partial<NewWebhook & { readonly isActive: boolean }>

/** An undefined URL is not checked. */
type Checked = Omit<NewWebhook, 'url'> & { readonly url: string | undefined }

export type WebhooksOptions = {
  readonly cache: RecordCache<WebhookRow>
  readonly writes: WriteQueue
  readonly now: () => number
  readonly secretsKey: SecretsKey
  readonly operatorOf: (id: string) => OperatorRow | undefined
  /** For development: http, private addresses and any port are allowed. */
  readonly allowInsecure: boolean
  /** Awaited when a change is durable and visible. */
  readonly onChanged: (id: string) => Promise<void>
}

export type WithSecret = { readonly webhook: WebhookRow; readonly secret: string }

export const webhooksMax = 20

export class Webhooks {
  readonly #options: WebhooksOptions
  readonly #secrets: WebhookSecrets

  constructor(options: WebhooksOptions) {
    this.#options = options
    this.#secrets = new WebhookSecrets(options.secretsKey, options.now)
  }

  /** Newest first. */
  list(operatorId: string): readonly WebhookRow[] {
    return this.#options.cache.of(operatorId)
  }

  /** Of all operators. */
  all(): Iterable<WebhookRow> {
    return this.#options.cache.all()
  }

  /** Of any operator. */
  find(id: string): WebhookRow | undefined {
    return this.#options.cache.get(id)
  }

  /** undefined for a webhook of another operator. */
  get(operatorId: string, id: string): WebhookRow | undefined {
    const webhook = this.#options.cache.get(id)
    return webhook?.operatorId === operatorId ? webhook : undefined
  }

  /** Throws DecryptionError if the secret was encrypted with another key. */
  secretOf(webhook: WebhookRow): string {
    return this.#secrets.present(webhook)
  }

  /** Those that sign its deliveries now, the present one first. Throws as `secretOf`. */
  signingSecretsOf(webhook: WebhookRow): SigningSecrets {
    return this.#secrets.signing(webhook)
  }

  /** Until when the secret before the present one signs as well; null if it does not. */
  previousSecretUntil(webhook: WebhookRow): number | null {
    return this.#secrets.previousUntil(webhook)
  }

  /** Only this answer contains the whole secret. */
  async create(
    operatorId: string,
    wanted: NewWebhook & { readonly id?: string | undefined },
  ): Promise<WithSecret | RegistryReject> {
    const { cache, writes, now, operatorOf, onChanged } = this.#options
    const reject = this.#check(wanted)
    if (reject !== null) return reject
    return writes.run(async () => {
      if (operatorOf(operatorId) === undefined) return operatorNotFound
      const createdAt = now()
      // A request that is repeated after a crash creates its webhook once, with a new secret.
      const id = wanted.id ?? newUuid(createdAt)
      const isNew = this.get(operatorId, id) === undefined
      if (isNew && cache.countOf(operatorId) >= webhooksMax) return limitReached
      const { secret, sealed } = this.#secrets.create({ operatorId, id })
      const webhook: WebhookRow = {
        id,
        operatorId,
        url: wanted.url,
        ...sealed,
        events: [...wanted.events],
        retrySchedule: wanted.retrySchedule ?? 'STANDARD',
        format: wanted.format ?? 'OUTCRY',
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
        retrySchedule = known.retrySchedule,
        format = known.format,
      } = changes
      const options = { retrySchedule, format }
      const changed = { url, events: [...events], description, isActive, ...options }
      const current = this.#secrets.withoutExpired(known)
      const webhook = { ...current, ...changed, updatedAt: now() }
      // A URL that was accepted under other settings must not prevent other changes.
      const reject = this.#check({ ...webhook, url: changes.url })
      if (reject !== null) return reject
      await cache.put(webhook)
      await onChanged(id)
      return webhook
    })
  }

  /**
   * The old secret signs beside the new one for that time. The answer contains the new one. If an
   * earlier attempt has begun at `since`, a rotation after it is not repeated: receivers would lose
   * the secret that they know.
   */
  async rotateSecret(
    operatorId: string,
    id: string,
    { overlapMs, since = null }: { readonly overlapMs: number; readonly since?: number | null },
  ): Promise<WithSecret | RegistryReject> {
    const { cache, writes, now, onChanged } = this.#options
    return writes.run(async () => {
      const known = this.get(operatorId, id)
      if (known === undefined) return webhookNotFound
      const { previousSecretUntil: until } = known
      if (since !== null && until !== null && until - overlapMs >= since) {
        return { webhook: known, secret: this.#secrets.present(known) }
      }
      const { secret, sealed } = this.#secrets.rotate(known, overlapMs)
      const webhook = { ...known, ...sealed, updatedAt: now() }
      await cache.put(webhook)
      await onChanged(id)
      return { webhook, secret }
    })
  }

  /** The receiver of that URL wants no more deliveries. */
  async deactivate({ id, url }: WebhookRow): Promise<void> {
    const { cache, writes, now, onChanged } = this.#options
    await writes.run(async () => {
      const known = cache.get(id)
      if (known === undefined || !known.isActive || known.url !== url) return
      await cache.put({ ...known, isActive: false, updatedAt: now() })
      await onChanged(id)
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

  /** Replaces what is in memory, and reports the webhooks that have changed. */
  async replaceAll(rows: readonly WebhookRow[], { isStart }: { isStart: boolean }): Promise<void> {
    const { cache, onChanged } = this.#options
    const known = new Map([...cache.all()].map((row) => [row.id, row]))
    cache.replaceAll(rows)
    if (isStart) return
    const changed = rows.filter((row) => !isDeepStrictEqual(known.get(row.id), row))
    const gone = [...known.keys()].filter((id) => cache.get(id) === undefined)
    for (const id of [...changed.map((row) => row.id), ...gone]) await onChanged(id)
  }

  /** For a change that is stored already. */
  async apply({ id, row }: Changed<WebhookRow>): Promise<void> {
    const { cache, onChanged } = this.#options
    const known = cache.get(id)
    if (row !== null) cache.putInMemory(row)
    else if (known !== undefined) cache.deleteInMemory(known)
    await onChanged(id)
  }

  #check({ url, events, description }: Checked): RegistryReject | null {
    const { allowInsecure } = this.#options
    return (
      (url === undefined ? null : checkWebhookUrl(url, { allowInsecure })) ??
      checkEvents(events) ??
      checkText('description', description, descriptionLengthMax)
    )
  }
}

const limitReached: RegistryReject = {
  code: 'WEBHOOK_LIMIT',
  message: `The operator already has ${webhooksMax} webhooks, the maximum.`,
}

function checkEvents(events: readonly string[]): RegistryReject | null {
  const wrong = events.find((event) => !eventTypes.some((type) => type === event))
  if (wrong !== undefined) {
    return invalid('events', `${quoted(wrong)} is not one of ${eventTypes.join(', ')}`)
  }
  const twice = events.find((event, at) => events.indexOf(event) !== at)
  return twice === undefined ? null : invalid('events', `duplicate event type ${quoted(twice)}`)
}
