// Reads the players of an operator that have had a position, in the database's order of texts. The
// index of positions by player is stepped over, from one player to the next.

import type { PlayerListQuery, PlayerListRow, PlayerPage } from '../player-list.ts'
import { countedMax } from '../record-store.ts'
import { numberOf, textOf } from './cells.ts'
import { all, first, type Reading } from './reading.ts'

/** Players that one statement steps over. */
const stepsPerPart = 1_000
/** Without an order of texts by their bytes, a search goes through all players. */
const stepsMax = 20_000

export function* readPlayers(query: PlayerListQuery): Reading<PlayerPage> {
  const { operatorNumber, prefix, after, limit } = query
  const isByBytes = yield* sortsByBytes()
  const search = { operatorNumber, prefix, isByBytes }
  const page = yield* walk({ ...search, after, wanted: limit + 1 })
  const ids = page.ids.slice(0, limit)
  const hasMore = page.ids.length > limit
  const nextAfter = hasMore ? (ids.at(-1) ?? null) : page.stoppedAt
  const isWhole = after === null && nextAfter === null
  const whole = isWhole ? page : yield* walk({ ...search, after: null, wanted: countedMax + 1 })
  const total = Math.min(whole.ids.length, countedMax)
  const totalIsExact = whole.stoppedAt === null && whole.ids.length <= countedMax
  return { rows: yield* rowsOf(operatorNumber, ids), total, totalIsExact, nextAfter }
}

/** In byte order, the players with one prefix follow one another. */
function* sortsByBytes(): Reading<boolean> {
  const found = yield* first(`SELECT CASE WHEN 'a' < 'B' OR 'a-b' > 'aB' THEN 0 ELSE 1 END AS yes`)
  return found?.yes === 1
}

type Walk = {
  readonly operatorNumber: number
  readonly prefix: string
  readonly isByBytes: boolean
  readonly after: string | null
  readonly wanted: number
}

/** `stoppedAt`: the last player that was looked at, if others may follow; null at the end. */
type Walked = { readonly ids: readonly string[]; readonly stoppedAt: string | null }

function* walk({ operatorNumber, prefix, isByBytes, after, wanted }: Walk): Reading<Walked> {
  const ids: string[] = []
  const isFiltered = prefix !== '' && !isByBytes
  let last = after
  for (let steps = 0; steps < stepsMax; ) {
    const count = isFiltered ? stepsPerPart : Math.min(stepsPerPart, wanted - ids.length)
    const from = last ?? (isByBytes ? prefix : '')
    const part = yield* stepsFrom({ operatorNumber, from, isAfter: last !== null, count })
    for (const id of part) {
      if (id.startsWith(prefix)) ids.push(id)
      else if (isByBytes) return { ids, stoppedAt: null }
    }
    if (part.length < count) return { ids, stoppedAt: null }
    last = part.at(-1) ?? null
    steps += count
    if (ids.length >= wanted) return { ids, stoppedAt: last }
  }
  return { ids, stoppedAt: last }
}

type Steps = {
  readonly operatorNumber: number
  readonly from: string
  readonly isAfter: boolean
  readonly count: number
}

function* stepsFrom({ operatorNumber, from, isAfter, count }: Steps): Reading<readonly string[]> {
  const next = (isBehind: string) => `
    SELECT p.player_id FROM positions AS p INDEXED BY positions_by_player
    WHERE p.operator_number = ? AND p.player_id ${isBehind} ORDER BY p.player_id LIMIT 1`
  const rows = yield* all(
    `WITH RECURSIVE found (player_id, place) AS (
       SELECT (${next(isAfter ? '> ?' : '>= ?')}), 1
       UNION ALL
       SELECT (${next('> found.player_id')}), place + 1 FROM found
       WHERE found.player_id IS NOT NULL AND place < ?
     ) SELECT player_id FROM found WHERE player_id IS NOT NULL`,
    ...[operatorNumber, from, operatorNumber, count],
  )
  return rows.map(({ player_id }) => textOf(player_id))
}

function* rowsOf(
  operatorNumber: number,
  ids: readonly string[],
): Reading<readonly PlayerListRow[]> {
  if (ids.length === 0) return []
  const positions = yield* all(
    `SELECT player_id, count(*) AS total FROM positions INDEXED BY positions_by_player
     WHERE operator_number = ? AND player_id = ANY (?) GROUP BY player_id`,
    ...[operatorNumber, ids],
  )
  const openOrders = yield* all(
    `SELECT key_player_id AS player_id, count(*) AS total FROM open_orders_of_player AS found
     WHERE key_operator_number = ? AND key_player_id = ANY (?) GROUP BY key_player_id`,
    ...[operatorNumber, ids],
  )
  const countsOf = (rows: typeof positions) =>
    new Map(rows.map(({ player_id, total }) => [textOf(player_id), numberOf(total)]))
  const [held, open] = [countsOf(positions), countsOf(openOrders)]
  return ids.map((playerId) => ({
    playerId,
    positions: held.get(playerId) ?? 0,
    openOrders: open.get(playerId) ?? 0,
  }))
}
