// A saved exchange as the rows that store it.

import type {
  MarketRecord,
  OrderRecord,
  OutcomeRecord,
} from '../../../src/core/snapshot/records.ts'
import { orderGroupStatuses } from '../../../src/core/state/fill-window.ts'
import { deadManStates } from '../../../src/core/state/operator.ts'
import { marketStatuses } from '../../../src/core/words.ts'
import type { RowPacker } from '../../../src/store/store.ts'
import type { Saved } from '../core/shard.ts'

type Numbers = ReadonlyMap<string, number>

/** The store must have the operators with these numbers. */
export function packSaved(packer: RowPacker, saved: Saved, numbers: Numbers): void {
  const marketOf = new Map<number, number>()
  for (const market of saved.markets) {
    packMarket(packer, market, numbers)
    for (const { serial } of market.outcomes) marketOf.set(serial, market.serial)
  }
  for (const position of saved.positions) {
    const { serial, createdAt, outcomeSerial, operatorId, playerId, shares, cost, profit } =
      position
    packer.add('position', {
      serial,
      createdAt,
      updatedAt: createdAt,
      marketSerial: marketOf.get(outcomeSerial)!,
      outcomeSerial,
      operatorNumber: numbers.get(operatorId)!,
      playerId,
      shares,
      reserved: 0,
      cost,
      profit,
    })
  }
  for (const { operatorId, playerId, state, ...deadMan } of saved.deadMen) {
    packer.add('deadMan', {
      ...deadMan,
      operatorNumber: numbers.get(operatorId)!,
      playerId: playerId ?? '',
      state: deadManStates.indexOf(state),
    })
  }
  for (const { operatorId, status, fills, ...group } of saved.orderGroups) {
    const operatorNumber = numbers.get(operatorId)!
    const { serial: groupSerial, generation } = group
    packer.add('orderGroup', {
      ...group,
      operatorNumber,
      status: orderGroupStatuses.indexOf(status),
    })
    for (const { slot, time: filledAt, shares } of fills) {
      packer.add('orderGroupFill', { groupSerial, slot, generation, filledAt, shares })
    }
  }
  const groups = new Map(Array.from(saved.orderGroups, (group) => [group.serial, group]))
  for (const { serial: orderSerial, groupSerial } of saved.orders) {
    if (groupSerial === null) continue
    const { createdAt: groupCreatedAt } = groups.get(groupSerial)!
    packer.add('orderGroupOrder', { orderSerial, groupSerial, groupCreatedAt })
  }
  for (const order of saved.orders) packOrder(packer, order, { numbers, marketOf })
  for (const { id, eventSequence } of saved.operators) {
    packer.add('eventSequence', { operatorNumber: numbers.get(id)!, eventSequence })
  }
}

function packMarket(packer: RowPacker, market: MarketRecord, numbers: Numbers): void {
  const { serial, job, resolution, storedBytes } = market
  packer.add('market', {
    ...market,
    description: textOf(storedBytes.description),
    imageUrl: textOf(storedBytes.imageUrl),
    metadata: textOf(storedBytes.metadata),
    ownerNumber: numbers.get(market.ownerId)!,
    isShared: market.isShared ? 1 : 0,
    hasCompleteSetMatching: market.hasCompleteSetMatching ? 1 : 0,
    status: marketStatuses.indexOf(market.status),
    tradingStartsAt: market.tradingStartsAt ?? 0,
    tradingEndsAt: market.tradingEndsAt ?? 0,
    resolution:
      resolution === null ? null : JSON.stringify({ ...resolution, source: 'x', notes: null }),
  })
  packer.add('marketCounters', { ...market, marketSerial: serial })
  for (const id of market.participantIds) {
    packer.add('participant', { marketSerial: serial, operatorNumber: numbers.get(id)! })
  }
  for (const [place, outcome] of market.outcomes.entries()) {
    const description = place === 0 ? textOf(storedBytes.outcomeDescriptions) : null
    packOutcome(packer, outcome, { market: serial, place, description })
  }
  if (job !== null) {
    const text = JSON.stringify({ ...job, payout: String(job.payout) })
    packer.add('job', { marketSerial: serial, isDone: job.phase === 'DONE' ? 1 : 0, job: text })
  }
  for (const failed of market.failedSettlements) {
    packer.add('settlement', {
      ...failed,
      updatedAt: failed.createdAt,
      marketSerial: serial,
      outcomeSerial: market.outcomes[failed.outcome]!.serial,
      operatorNumber: numbers.get(failed.operatorId)!,
      status: 3,
    })
  }
}

// A saved exchange has only the length of a text.
function textOf(bytes: number): string | null {
  return bytes === 0 ? null : 'x'.repeat(bytes)
}

function packOutcome(
  packer: RowPacker,
  outcome: OutcomeRecord,
  { market, place, description }: { market: number; place: number; description: string | null },
): void {
  const { serial, name, version, lastPrice, volume } = outcome
  packer.add('newOutcome', { serial, marketSerial: market, place, name, description })
  packer.add('outcome', { outcomeSerial: serial, version, lastPrice })
  for (const { minute, shares } of volume) {
    const prices = { open: lastPrice, high: lastPrice, low: lastPrice, close: lastPrice }
    packer.add('candle', { outcomeSerial: serial, minute, ...prices, shares, trades: 1 })
  }
}

function packOrder(
  packer: RowPacker,
  order: OrderRecord,
  { numbers, marketOf }: { numbers: Numbers; marketOf: ReadonlyMap<number, number> },
): void {
  packer.add('newOrder', {
    ...order,
    updatedAt: order.createdAt,
    marketSerial: marketOf.get(order.outcomeSerial)!,
    outcomeSerial: order.outcomeSerial,
    operatorNumber: numbers.get(order.operatorId)!,
    isSell: order.side === 'SELL' ? 1 : 0,
    status: order.filled === 0 ? 0 : 1,
    expiresAt: order.expiresAt ?? 0,
    fingerprint: 0,
  })
}
