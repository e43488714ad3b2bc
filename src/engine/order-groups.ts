// The commands and queries about order groups, as they are executed on the core and answered.

import type { Serial } from '../core/ids.ts'
import {
  createOrderGroup,
  deleteOrderGroup,
  findOrderGroup,
  type GroupCommand,
  groupNotFound,
  limitOrderGroup,
  resetOrderGroup,
  triggerOrderGroup,
} from '../core/orders/order-groups.ts'
import type { Reject } from '../core/reject.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { Operator, OrderGroup } from '../core/state/operator.ts'
import type { Commands, OrderGroupAnswer, OrderGroupsQuery, Result } from './commands.ts'

export type GroupKind =
  | 'createOrderGroup'
  | 'limitOrderGroup'
  | 'triggerOrderGroup'
  | 'resetOrderGroup'
  | 'deleteOrderGroup'
  | 'orderGroup'
  | 'orderGroups'
type Context = { readonly exchange: Exchange; readonly now: number }

export const groupExecutors: {
  readonly [Kind in GroupKind]: (
    context: Context,
    command: Commands[Kind]['command'],
    operator: Operator,
  ) => Result<Commands[Kind]['answer']>
} = {
  createOrderGroup: ({ exchange }, command, operator) => {
    const reject = createOrderGroup(exchange, { ...command, operator })
    const groupSerial = exchange.lastSerial as Serial
    return answered(exchange, { operator, groupSerial }, reject)
  },
  limitOrderGroup: ({ exchange }, command, operator) => {
    const limited = { ...command, operator }
    return answered(exchange, limited, limitOrderGroup(exchange, limited))
  },
  triggerOrderGroup: ({ exchange }, { groupSerial }, operator) => {
    const reject = triggerOrderGroup(exchange, { operator, groupSerial })
    return answered(exchange, { operator, groupSerial }, reject)
  },
  resetOrderGroup: ({ exchange }, { groupSerial }, operator) => {
    const reject = resetOrderGroup(exchange, { operator, groupSerial })
    return answered(exchange, { operator, groupSerial }, reject)
  },
  deleteOrderGroup: ({ exchange }, { groupSerial }, operator) => {
    const reject = deleteOrderGroup(exchange, { operator, groupSerial })
    return reject === null ? { isAccepted: true, answer: null } : { isAccepted: false, reject }
  },
  orderGroup: ({ exchange, now }, { groupSerial }, operator) =>
    answered(exchange, { operator, groupSerial }, null, now),
  orderGroups: ({ exchange, now }, query, operator) => {
    const groups = groupsOf(operator, query)
    const after = query.after ?? Infinity
    const newestFirst = groups.sort((a, b) => b.serial - a.serial)
    const page = newestFirst.filter(({ serial }) => serial < after).slice(0, query.limit + 1)
    const time = Math.max(exchange.now, now)
    return {
      isAccepted: true,
      answer: {
        groups: page.slice(0, query.limit).map((group) => orderGroupAnswer(group, time)),
        total: groups.length,
        hasMore: page.length > query.limit,
      },
    }
  },
}

function groupsOf({ orderGroups }: Operator, { playerId }: OrderGroupsQuery): OrderGroup[] {
  if (orderGroups === null) return []
  if (playerId !== null) return [...(orderGroups.get(playerId) ?? [])]
  return [...orderGroups.values()].flatMap((groups) => [...groups])
}

function answered(
  exchange: Exchange,
  { operator, groupSerial }: GroupCommand,
  reject: Reject | null,
  now = exchange.now,
): Result<OrderGroupAnswer> {
  if (reject !== null) return { isAccepted: false, reject }
  const group = findOrderGroup(exchange, operator, groupSerial)
  if (group === null) return { isAccepted: false, reject: groupNotFound }
  return { isAccepted: true, answer: orderGroupAnswer(group, Math.max(exchange.now, now)) }
}

/** As it is at that time; a deleted one as it was. */
export function orderGroupAnswer(group: OrderGroup, now: number): OrderGroupAnswer {
  const { id, playerId, limitShares, windowMs, status, createdAt, fills } = group
  return {
    id,
    playerId,
    limitShares,
    windowMs,
    matchedShares: fills.sharesAt(now),
    status: status === 'ACTIVE' ? 'ACTIVE' : 'TRIGGERED',
    createdAt,
  }
}
