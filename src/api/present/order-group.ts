// Order groups as they are on the wire.

import type { OrderGroupAnswer } from '../../engine/commands.ts'
import type { OrderGroup } from '../schemas/order-group.ts'
import { sharesText } from './quantity.ts'
import { timeText } from './time.ts'

export function presentOrderGroup(group: OrderGroupAnswer): OrderGroup {
  const { id, playerId, limitShares, windowMs, matchedShares, status, createdAt } = group
  return {
    id,
    playerId,
    limitShares: sharesText(limitShares),
    windowMs,
    matchedShares: sharesText(matchedShares),
    status,
    createdAt: timeText(createdAt),
  }
}
