// The secrets that sign the deliveries of a webhook: the present one and, for some time after a
// rotation, the one before it. They are stored encrypted.

import { randomBytes } from 'node:crypto'
import type { WebhookRow } from '../store/store.ts'
import type { SecretsKey } from './secrets-key.ts'

export type WebhookOwner = Pick<WebhookRow, 'operatorId' | 'id'>
type Sealed = Pick<WebhookRow, 'sealedSecret' | 'previousSealedSecret' | 'previousSecretUntil'>
/** The present secret first. */
export type SigningSecrets = readonly [string, ...string[]]

const secretBytes = 32
const none = { previousSealedSecret: null, previousSecretUntil: null }

export function sealedSecretsOf({ sealedSecret, previousSealedSecret }: WebhookRow): string[] {
  return previousSealedSecret === null ? [sealedSecret] : [sealedSecret, previousSealedSecret]
}

export class WebhookSecrets {
  readonly #key: SecretsKey
  readonly #now: () => number

  constructor(key: SecretsKey, now: () => number) {
    this.#key = key
    this.#now = now
  }

  create(owner: WebhookOwner): { readonly secret: string; readonly sealed: Sealed } {
    const secret = randomBytes(secretBytes).toString('hex')
    return { secret, sealed: { sealedSecret: this.#key.encrypt(secret, nameOf(owner)), ...none } }
  }

  /** A secret that was replaced before and is still used is not used any more. */
  rotate(webhook: WebhookRow, overlapMs: number): ReturnType<WebhookSecrets['create']> {
    const { secret, sealed } = this.create(webhook)
    if (overlapMs === 0) return { secret, sealed }
    const previousSecretUntil = this.#now() + overlapMs
    const previousSealedSecret = webhook.sealedSecret
    return { secret, sealed: { ...sealed, previousSealedSecret, previousSecretUntil } }
  }

  /** Without the previous secret, if its time is over. */
  withoutExpired(webhook: WebhookRow): WebhookRow {
    return this.previousUntil(webhook) === null ? { ...webhook, ...none } : webhook
  }

  /** Until when the previous secret signs as well; null if it does not. */
  previousUntil({ previousSecretUntil: until }: WebhookRow): number | null {
    return until === null || until <= this.#now() ? null : until
  }

  /** Throws DecryptionError if the secret was encrypted with another key. */
  present(webhook: WebhookRow): string {
    return this.#key.decrypt(webhook.sealedSecret, nameOf(webhook))
  }

  /** As `present`. */
  signing(webhook: WebhookRow): SigningSecrets {
    const { previousSealedSecret: previous } = webhook
    const present = this.present(webhook)
    if (previous === null || this.previousUntil(webhook) === null) return [present]
    return [present, this.#key.decrypt(previous, nameOf(webhook))]
  }
}

function nameOf({ operatorId, id }: WebhookOwner): string {
  return `${operatorId}/${id}`
}
