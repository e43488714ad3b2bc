// Events about what protects market makers: for each type how its fields are written to a body,
// then how they are read. The order of the fields is that of stored data, so a new one goes to the
// end.

import { decimals, numberOf } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import type { DeadManChanged, GroupChanged } from '../state/facts.ts'
import { type GroupCause, groupCauses } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { DeadManTriggered, OrderGroupTriggered } from './event-payload.ts'
import { wireTimeOf } from './wire-time.ts'

export const makerReaders = {
  DEAD_MAN_TRIGGERED: readDeadManTriggered,
  ORDER_GROUP_TRIGGERED: readGroupTriggered,
} as const

export function writeDeadManTriggered(body: Field[], triggered: DeadManChanged): void {
  const { deadMan, deadline, timeoutMs } = triggered
  body.push(deadMan.playerId, deadline, timeoutMs)
}

function readDeadManTriggered(reader: BodyReader): DeadManTriggered {
  return {
    playerId: reader.textOrNull(),
    deadline: wireTimeOf(reader.whole()),
    timeoutMs: reader.whole(),
    timestamp: reader.createdAt,
  }
}

export function writeGroupTriggered(
  body: Field[],
  { now }: Exchange,
  { group, matchedShares, limitShares }: GroupChanged,
  cause: GroupCause,
): void {
  body.push(group.serial, now - group.createdAt, group.playerId)
  body.push(matchedShares, limitShares, groupCauses.indexOf(cause))
}

function readGroupTriggered(reader: BodyReader): OrderGroupTriggered {
  return {
    groupId: reader.id(),
    playerId: reader.text(),
    matchedShares: numberOf(reader.whole(), decimals.shares),
    limitShares: numberOf(reader.whole(), decimals.shares),
    cause: reader.word(groupCauses),
    timestamp: reader.createdAt,
  }
}
