// The players of the operator.

import { Refusal } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { playerAfterOf, playerCursorOf } from '../../parse/cursor.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import { ListedPlayer, PlayersQuery, playersPageSize } from '../../schemas/holding.ts'
import type { Routes } from './routes.ts'

export function addPlayers(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/players',
      scope: 'read',
      tag: 'Positions',
      name: 'listPlayers',
      summary: 'List your players, sorted by their ids',
      description:
        'The players that have had a position, by a trade or a mint; not those with open orders ' +
        'alone. A page may have fewer players than limit, even none, while hasMore is true.',
      query: PlayersQuery,
      answer: page('players', named(ListedPlayer)),
      csv: { field: 'players', row: ListedPlayer },
    },
    async ({ operator, query, reads }) => {
      const after = playerAfterOf(query.cursor)
      if (after instanceof Refusal) return after
      const { rows, total, totalIsExact, nextAfter } = await reads().players({
        operatorNumber: operator.number,
        prefix: query.search ?? '',
        after,
        limit: query.limit ?? playersPageSize,
      })
      const nextCursor = nextAfter === null ? null : playerCursorOf(nextAfter)
      const hasMore = nextAfter !== null
      return new Done({ players: rows, total, totalIsExact, hasMore, nextCursor })
    },
  )
}
