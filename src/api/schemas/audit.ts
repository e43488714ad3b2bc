// The audit log: which acts it has, and the requests that read it.

import { type Static, Type } from 'typebox'
import { Cursor, Id, limitOf, line, nullable, playerIdMax, record, Time, words } from './fields.ts'

export const auditPageSize = 100

/** The operation ids of the routes that manage and administer. They never change. */
export const auditedActions = [
  ...['createMarket', 'editMarket', 'openMarket', 'suspendMarket', 'resumeMarket', 'closeMarket'],
  ...['changeTradingWindow', 'resolveMarket', 'cancelMarket', 'settleMarket', 'retrySettlements'],
  ...['acknowledgeSettlement', 'cancelOrders', 'createCategory', 'editCategory'],
  ...['createWebhook', 'editWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'],
  ...['redeliverWebhook', 'createOperator', 'editOperator', 'createKey', 'revokeKey'],
  ...['createGlobalCategory', 'editGlobalCategory', 'moveShard', 'drainNode'],
  ...['putPlayerControls', 'putControls', 'putOperatorControls', 'putExchangeControls'],
] as const
export type AuditedAction = (typeof auditedActions)[number]

const outcomes = ['DONE', 'UNKNOWN'] as const

export const targetIdMax = playerIdMax
const TargetId = line(1, targetIdMax)

const entryFields = {
  id: Id,
  at: Type.String({ ...Time, description: 'When the request was accepted.' }),
  keyId: nullable(
    Type.String({ ...Id, description: 'The key that was used; null for the administrator.' }),
  ),
  keyLabel: nullable(Type.String({ description: 'The label that the key had.' })),
  action: Type.Unsafe<AuditedAction>({
    ...words(auditedActions),
    description: 'The operation id of the request. Later versions may add some.',
  }),
  targetId: nullable(
    Type.String({
      description:
        'What the act was about: the id of a market, settlement, category, webhook, operator, ' +
        'key or node, the number of a shard, or a player. Of cancelOrders: the market of its ' +
        'filter, else its outcome, else its player.',
    }),
  ),
  reason: nullable(
    Type.String({ description: 'The reason of the request, or the source of a resolution.' }),
  ),
  requestId: Type.String({ description: 'The X-Request-Id of the response.' }),
  outcome: Type.Unsafe<(typeof outcomes)[number]>({
    ...words(outcomes),
    description:
      'UNKNOWN while the act is under way, and for good if it was answered with COMMIT_UNKNOWN ' +
      'or INTERNAL_ERROR, or if the service ended before its answer. Acts that were refused are ' +
      'not in the log.',
  }),
}
export const AuditEntry = record('AuditEntry', entryFields)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditEntryOfAll = record('AuditEntryOfAll', {
  ...entryFields,
  operatorId: nullable(
    Type.String({
      ...Id,
      description:
        'The operator whose key was used, or that the administrator has created or changed; null ' +
        'for what concerns no operator.',
    }),
  ),
})
export type AuditEntryOfAll = Static<typeof AuditEntryOfAll>

const filters = {
  action: Type.Optional(words(auditedActions)),
  targetId: Type.Optional(Type.String({ ...TargetId, description: 'Such as the id of a market.' })),
  keyId: Type.Optional(Id),
  from: Type.Optional(Type.String({ ...Time, description: 'Returns acts of this time or later.' })),
  to: Type.Optional(Type.String({ ...Time, description: 'Returns acts before this time.' })),
  limit: limitOf(auditPageSize),
  cursor: Cursor,
}
export const AuditQuery = Type.Object(filters)
export type AuditQuery = Static<typeof AuditQuery>

export const AuditQueryOfAll = Type.Object({ ...filters, operatorId: Type.Optional(Id) })
