// Operators, keys, categories and webhooks as they are on the wire.

import { decimals, textOf } from '../../core/money.ts'
import type { Attempt } from '../../feed/webhooks/attempt-log.ts'
import type {
  AttemptRow,
  CategoryRow,
  KeyRow,
  OperatorRow,
  WebhookHealth,
  WebhookRow,
} from '../../store/store.ts'
import type { Category } from '../schemas/category.ts'
import type { Operator } from '../schemas/operator.ts'
import type { Webhook, WebhookAttempt, WebhookWithSecret } from '../schemas/webhook.ts'
import { presentFeeSchedule } from './fees.ts'
import { presentImageUrl } from './image-url.ts'
import { timeText, timeTextOrNull } from './time.ts'

export function presentOperator(row: OperatorRow): Operator {
  return {
    id: row.id,
    name: row.name,
    supportedCurrencies: [...row.supportedCurrencies],
    feePercent: row.feeRate === null ? null : textOf(row.feeRate, decimals.feeRate),
    feeSchedule: presentFeeSchedule(row.feeSchedule),
    isActive: row.isActive,
    shard: row.shard,
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  }
}

/** Never the key itself; `usedAt` is undefined if it was never used. */
export function presentKey(row: KeyRow, usedAt?: number) {
  return {
    id: row.id,
    operatorId: row.operatorId,
    label: row.label,
    scopes: row.scopes,
    prefix: row.prefix,
    expiresAt: timeTextOrNull(row.expiresAt),
    lastUsedAt: timeTextOrNull(usedAt ?? null),
    createdAt: timeText(row.createdAt),
  }
}

/** Who a key is, for the caller that has it. */
export function presentMe({ operator, key }: { operator: OperatorRow; key: KeyRow }) {
  return {
    operatorId: operator.id,
    operatorName: operator.name,
    keyId: key.id,
    keyLabel: key.label,
    scopes: key.scopes,
    expiresAt: timeTextOrNull(key.expiresAt),
  }
}

export function presentCategory(row: CategoryRow): Category {
  return {
    id: row.id,
    operatorId: row.operatorId,
    name: row.name,
    slug: row.slug,
    description: row.description,
    iconUrl: presentImageUrl(row.iconUrl),
    isActive: row.isActive,
    sortOrder: row.sortOrder,
    createdAt: timeText(row.createdAt),
  }
}

export type WebhookAbout = {
  /** As it may be shown. */
  readonly secret: string
  /** Until when the secret before it signs as well. */
  readonly previousSecretUntil: number | null
  /** Of the last hour; null if it could not be read. */
  readonly health: Counts | null
}

export function presentWebhook(row: WebhookRow, about: WebhookAbout): Webhook {
  return {
    id: row.id,
    operatorId: row.operatorId,
    url: row.url,
    secret: about.secret,
    previousSecretExpiresAt: timeTextOrNull(about.previousSecretUntil),
    events: [...row.events] as Webhook['events'],
    isActive: row.isActive,
    retrySchedule: row.retrySchedule,
    format: row.format,
    health: presentHealth(about.health),
    description: row.description,
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  }
}

/** For the only answer that has the whole secret. */
export function presentWithSecret(row: WebhookRow, about: WebhookAbout): WebhookWithSecret {
  const signingSecret = `whsec_${Buffer.from(about.secret).toString('base64')}`
  return { ...presentWebhook(row, about), signingSecret }
}

export function presentAttempt({ startedAt, nextAt, ...attempt }: Attempt): WebhookAttempt {
  const delivered = attempt.status === 'DELIVERED'
  const times = { nextAttemptAt: timeTextOrNull(nextAt), timestamp: timeText(startedAt) }
  return { ...attempt, delivered, ...times }
}

export function presentStoredAttempt(row: AttemptRow): WebhookAttempt {
  const { webhookId: _, number: __, deliveryId: id, ...attempt } = row
  return presentAttempt({ id, ...attempt })
}

const rateStep = 10_000

/** null if it could not be read. */
function presentHealth(health: Counts | null): Webhook['health'] {
  if (health === null) return null
  const { delivered, failed } = health
  const attempts = delivered + failed
  const successRate =
    attempts === 0 ? null : Math.floor((delivered / attempts) * rateStep) / rateStep
  return { attempts, delivered, successRate }
}

type Counts = Pick<WebhookHealth, 'delivered' | 'failed'>

const shownOfSecret = 8

/** Enough to tell secrets apart. */
export function truncated(secret: string): string {
  return `${secret.slice(0, shownOfSecret)}...`
}
