// The acts of the audit log in words.

import { pathOfPlayer } from '../route.ts'
import type { AuditedAction } from '../wire.ts'

export const actionWords: Readonly<Record<AuditedAction, string>> = {
  createMarket: 'Market created',
  editMarket: 'Market edited',
  openMarket: 'Market opened',
  suspendMarket: 'Market suspended',
  resumeMarket: 'Market resumed',
  closeMarket: 'Market closed',
  changeTradingWindow: 'End of trading changed',
  resolveMarket: 'Market resolved',
  cancelMarket: 'Market cancelled',
  settleMarket: 'Market settled',
  retrySettlements: 'Settlements retried',
  acknowledgeSettlement: 'Settlement acknowledged',
  cancelOrders: 'Orders cancelled',
  createCategory: 'Category created',
  editCategory: 'Category edited',
  createWebhook: 'Webhook created',
  editWebhook: 'Webhook edited',
  deleteWebhook: 'Webhook deleted',
  rotateWebhookSecret: 'Webhook secret replaced',
  testWebhook: 'Webhook tested',
  redeliverWebhook: 'Events delivered again',
  createOperator: 'Operator created',
  editOperator: 'Operator edited',
  createKey: 'Key created',
  revokeKey: 'Key revoked',
  createGlobalCategory: 'Global category created',
  editGlobalCategory: 'Global category edited',
  moveShard: 'Shard moved',
  drainNode: 'Node drained',
  putPlayerControls: 'Controls of a player changed',
  putControls: 'Controls changed',
  putOperatorControls: 'Controls of an operator changed',
  putExchangeControls: 'Controls of the exchange changed',
}

const ofAdministrator: readonly AuditedAction[] = [
  'createGlobalCategory',
  'editGlobalCategory',
  'moveShard',
  'drainNode',
  'putOperatorControls',
  'putExchangeControls',
]

/** Those that can be in the log of an operator, or in that of all. */
export function actionsFor(isOfAll: boolean): readonly AuditedAction[] {
  const all = Object.keys(actionWords) as AuditedAction[]
  return isOfAll ? all : all.filter((action) => !ofAdministrator.includes(action))
}

const marketActs = /Market$|^changeTradingWindow$|^retrySettlements$/
/** Those on a player name it, in the form that the operator has chosen. */
const publicId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const webhookActs = /Webhook(Secret)?$/

/** The page of what an act was about; null if it has none. */
export function pageOf(action: AuditedAction, targetId: string): string | null {
  if (marketActs.test(action)) return `/markets/${targetId}`
  if (action === 'cancelOrders') return publicId.test(targetId) ? `/markets/${targetId}` : null
  if (webhookActs.test(action) && action !== 'deleteWebhook') return `/webhooks/${targetId}`
  if (action === 'putPlayerControls') return pathOfPlayer(targetId)
  return null
}
