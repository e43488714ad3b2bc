// Cursors: where the next page of a list starts. Opaque to callers; a cursor contains the list and
// the public id of the last row of the page.

import type { Ids, Serial } from '../../core/ids.ts'
import { invalidField, type Refusal } from '../errors.ts'
import { isPlayerId } from './player-id.ts'

/** The tape is the public list of trades. */
export type ListName =
  | 'markets'
  | 'orders'
  | 'orderGroups'
  | 'trades'
  | 'tape'
  | 'positions'
  | 'settlements'

export function cursorOf(list: ListName, id: string): string {
  return Buffer.from(`${list}:${id}`, 'latin1').toString('base64url')
}

/** The serial of the row after which the page starts; null for the first page. */
export function afterOf(
  ids: Ids,
  list: ListName,
  cursor: string | undefined,
): Serial | null | Refusal {
  if (cursor === undefined) return null
  const [name, id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(':', 2)
  const serial = ids.serialOf(id)
  if (serial === null) return unknownCursor
  if (cursorOf(list, id) === cursor) return serial
  return name === list ? unknownCursor : otherList
}

const unknownCursor = invalidField('cursor', 'must be the nextCursor of a previous page')
const attemptsName = 'deliveries'
const otherList = invalidField(
  'cursor',
  'belongs to another list; must be the nextCursor of a page of this list',
)

/** For the attempts of webhooks, which have numbers and no public ids. */
export function attemptCursorOf(number: number): string {
  return Buffer.from(`${attemptsName}:${number}`).toString('base64url')
}

/** The number before which the page starts; null for the first page. */
export function attemptBeforeOf(cursor: string | undefined): number | null | Refusal {
  if (cursor === undefined) return null
  const [name, text = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(':', 2)
  const number = Number(text)
  const isNumber = Number.isSafeInteger(number) && number > 0
  if (isNumber && attemptCursorOf(number) === cursor) return number
  return name === attemptsName ? unknownCursor : otherList
}

const playersName = 'players'

/** For the list of players, which have ids of the operator and no serials. */
export function playerCursorOf(playerId: string): string {
  return Buffer.from(`${playersName}:${playerId}`).toString('base64url')
}

/** The player after which the page starts; null for the first page. */
export function playerAfterOf(cursor: string | undefined): string | null | Refusal {
  if (cursor === undefined) return null
  const text = Buffer.from(cursor, 'base64url').toString()
  const playerId = text.slice(playersName.length + 1)
  if (playerCursorOf(playerId) === cursor && isPlayerId(playerId)) return playerId
  return text.startsWith(`${playersName}:`) ? unknownCursor : otherList
}

const auditName = 'audit'
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** For the audit log, whose entries have ids and no serials. */
export function auditCursorOf(id: string): string {
  return Buffer.from(`${auditName}:${id}`).toString('base64url')
}

/** The id of the entry after which the page starts; null for the first page. */
export function auditAfterOf(cursor: string | undefined): string | null | Refusal {
  if (cursor === undefined) return null
  const [name, id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(':', 2)
  if (uuid.test(id) && auditCursorOf(id) === cursor) return id
  return name === auditName ? unknownCursor : otherList
}
