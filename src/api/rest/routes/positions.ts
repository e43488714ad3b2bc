// Positions of players, and the complete sets that their shares come from.

import { Type } from 'typebox'
import type { Commands } from '../../../engine/commands.ts'
import type { OperatorRow, PositionRow } from '../../../store/store.ts'
import { Refusal, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { changeSetsOf } from '../../parse/order.ts'
import { presentSets, presentValuedPosition } from '../../present/holding.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  ChangeSetsBody,
  CompleteSets,
  HoldingsQuery,
  ValuedPosition,
} from '../../schemas/holding.ts'
import type { ShardAccess } from '../../shards.ts'
import { holdingsAnswer } from '../holdings-answer.ts'
import type { Routes } from './routes.ts'

export function addPositions(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/positions',
      scope: 'read',
      tag: 'Positions',
      name: 'listPositions',
      summary: 'List positions, newest first',
      description:
        'Returns the whole array, or a page if limit or cursor is sent. Each position is valued ' +
        'at the last trade of its outcome, or at its payout once the market is resolved.',
      query: HoldingsQuery,
      answer: Type.Union([
        Type.Array(named(ValuedPosition)),
        page('positions', named(ValuedPosition)),
      ]),
      csv: { field: 'positions', row: ValuedPosition },
    },
    ({ operator, shard, query, reads }) => {
      const positions = {
        name: 'positions' as const,
        read: reads().positions,
        present: (row: PositionRow) => presentValuedPosition(shard.ids, row),
      }
      return holdingsAnswer(shard, positions, { operator, query })
    },
  )
  addSets(routes, { kind: 'MINT', action: 'mint', status: 201 })
  addSets(routes, { kind: 'REDEEM', action: 'redeem', status: 200 })
}

type SetsAction = {
  readonly kind: 'MINT' | 'REDEEM'
  readonly action: 'mint' | 'redeem'
  readonly status: 200 | 201
}

function addSets(routes: Routes, { kind, action, status }: SetsAction): void {
  routes.operator(
    {
      method: 'POST',
      path: `/api/v1/markets/:id/${action}`,
      scope: 'trade',
      bucket: 'orders',
      tag: 'Positions',
      name: kind === 'MINT' ? 'mintSets' : 'redeemSets',
      summary: kind === 'MINT' ? 'Mint complete sets' : 'Redeem complete sets',
      description:
        kind === 'MINT'
          ? 'Gives the player shares of every outcome, for 1 unit of the currency per set.'
          : 'Takes back shares of every outcome, for 1 unit of the currency per set.',
      body: ChangeSetsBody,
      answer: named(CompleteSets),
      status,
      isRepeatable: true,
      errors: [
        'ORDER_INVALID_SHARES',
        'MARKET_NOT_FOUND',
        'MARKET_NOT_OPEN',
        'TRADING_RESTRICTED',
        'ORDER_DUPLICATE_TRANSACTION',
        kind === 'MINT' ? 'LIMIT_EXCEEDED' : 'POSITION_INSUFFICIENT_SHARES',
      ],
    },
    async ({ operator, shard, params, body, charge, chargeAfter }) => {
      const command = changeSetsOf(shard, {
        kind,
        operatorId: operator.id,
        marketId: params.id,
        body,
      })
      if (command instanceof Refusal) return command
      const counted = await setsCost(shard, operator, command)
      const limited = charge(counted - 1)
      if (limited !== null) return limited
      const result = await shard.submit('changeSets', command)
      chargeAfter({ result, counted })
      if (!result.isAccepted) return refusalOf(result.reject)
      const { isReplay } = result.answer
      return Done.ofStored(() => presentSets(result.answer), {
        status: isReplay ? 200 : status,
        isReplay,
      })
    },
  )
}

/** Where the shard is not in memory, the outcomes of the market are counted in the store. */
async function setsCost(
  { costOf, reads }: ShardAccess,
  operator: OperatorRow,
  command: Commands['changeSets']['command'],
): Promise<number> {
  const known = costOf('changeSets', command)
  if (known !== null) return known
  const market = await reads.market(command.marketSerial, operator.number)
  return market?.outcomes.length ?? 1
}
