// The promise of limits, checked against the plain records of the exchange: whatever was accepted
// just now, its player uses no more than it may.

import assert from 'node:assert/strict'
import type { Serial } from '../../src/core/ids.ts'
import { save } from '../../src/core/snapshot/save.ts'
import type { ControlsHolder } from '../../src/core/state/controls.ts'
import type { Exchange } from '../../src/core/state/exchange.ts'
import type { Limits } from '../../src/core/state/limits.ts'

export type Buyer = {
  readonly operatorId: string
  readonly playerId: string
  readonly marketSerial: Serial
  /** That it bought; null for all. Others may be over a limit that was lowered. */
  readonly outcomeSerial: Serial | null
}

/** To be called after a BUY order, an amendment of one or a mint that was accepted. */
export function assertWithinLimits(exchange: Exchange, buyer: Buyer): void {
  const { operatorId, playerId, marketSerial, outcomeSerial } = buyer
  const { controls, orders, positions } = save(exchange)
  const limitsFor = (kind: ControlsHolder['kind']): Limits =>
    [...controls].find(({ holder }) => {
      if (holder.kind !== kind || holder.kind === 'EXCHANGE') return false
      const isOfPlayer = holder.kind !== 'PLAYER' || holder.playerId === playerId
      return isOfPlayer && holder.operatorId === operatorId
    })?.terms.limits ?? {}
  const limits = { ...limitsFor('OPERATOR'), ...limitsFor('PLAYER') }
  const outcomes = exchange.market(marketSerial)!.books.map(({ serial }) => serial)
  const isOwn = (record: { operatorId: string; playerId: string; outcomeSerial: Serial }) =>
    record.operatorId === operatorId &&
    record.playerId === playerId &&
    outcomes.includes(record.outcomeSerial)
  const held = [...positions].filter(isOwn)
  const open = [...orders].filter((order) => isOwn(order) && order.side === 'BUY')
  let cost = held.reduce((sum, position) => sum + position.cost, 0n)
  for (const { shares, filled, price } of open) cost += BigInt(shares - filled) * BigInt(price)
  const { maxMarketCost, maxOutcomeShares } = limits
  if (maxMarketCost != null) assert.ok(cost <= maxMarketCost, 'no market costs more than its limit')
  if (maxOutcomeShares == null) return
  for (const outcome of outcomeSerial === null ? outcomes : [outcomeSerial]) {
    const isOf = ({ outcomeSerial }: { outcomeSerial: Serial }) => outcomeSerial === outcome
    const shares =
      held.filter(isOf).reduce((sum, position) => sum + position.shares, 0) +
      open.filter(isOf).reduce((sum, order) => sum + order.shares - order.filled, 0)
    assert.ok(shares <= maxOutcomeShares, 'no outcome has more shares than its limit')
  }
}
