// Operators, keys, categories and webhooks as they are on the wire.

import { decimals, textOf } from '../../core/money.ts'
import type { Attempt } from '../../feed/webhooks/attempt-log.ts'
import type { CategoryRow, KeyRow, OperatorRow, WebhookRow } from '../../store/store.ts'
import type { Category } from '../schemas/category.ts'
import type { Operator } from '../schemas/operator.ts'
import type { WebhookAttempt } from '../schemas/webhook.ts'
import { presentImageUrl } from './image-url.ts'
import { timeText, timeTextOrNull } from './time.ts'

export function presentOperator(row: OperatorRow): Operator {
  return {
    id: row.id,
    name: row.name,
    supportedCurrencies: [...row.supportedCurrencies],
    feePercent: row.feeRate === null ? null : textOf(row.feeRate, decimals.feeRate),
    isActive: row.isActive,
    shard: row.shard,
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  }
}

/** Never the key itself. */
export function presentKey(row: KeyRow) {
  return {
    id: row.id,
    operatorId: row.operatorId,
    label: row.label,
    scopes: row.scopes,
    prefix: row.prefix,
    expiresAt: timeTextOrNull(row.expiresAt),
    createdAt: timeText(row.createdAt),
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

export function presentWebhook(row: WebhookRow, secret: string) {
  return {
    id: row.id,
    operatorId: row.operatorId,
    url: row.url,
    secret,
    events: row.events,
    isActive: row.isActive,
    description: row.description,
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  }
}

export function presentAttempt({ startedAt, ...attempt }: Attempt): WebhookAttempt {
  return { ...attempt, timestamp: timeText(startedAt) }
}

const shownOfSecret = 8

/** Enough to tell secrets apart. */
export function truncated(secret: string): string {
  return `${secret.slice(0, shownOfSecret)}...`
}
