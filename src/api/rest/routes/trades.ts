// Reading trades: those with an order of the operator.

import { tradeOfRow } from '../../../engine/idempotency/stored-answers.ts'
import { Refusal } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { afterOf } from '../../parse/cursor.ts'
import { serialOf, serialOrNull } from '../../parse/serial.ts'
import { presentTrade } from '../../present/trade.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import { orderPageSize, Trade, TradesQuery } from '../../schemas/order.ts'
import { pageAnswer } from '../page-answer.ts'
import type { Routes } from './routes.ts'

export function addTrades(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/trades',
      scope: 'read',
      tag: 'Trades',
      name: 'listTrades',
      summary: 'List the trades of your orders, newest first',
      description:
        'Filters combine. With playerId: the trades in which this player has an order with you.',
      query: TradesQuery,
      answer: page('trades', named(Trade)),
      csv: { field: 'trades', row: Trade },
    },
    async ({ operator, shard, query, reads }) => {
      const { ids } = shard
      const after = afterOf(ids, 'trades', query.cursor)
      if (after instanceof Refusal) return after
      const found = await reads().trades({
        operatorNumber: operator.number,
        marketSerial: serialOrNull(ids, query.marketId),
        outcomeSerial: serialOrNull(ids, query.outcomeId),
        orderSerial: serialOrNull(ids, query.orderId),
        playerId: query.playerId ?? null,
        after,
        limit: query.limit ?? orderPageSize,
      })
      return pageAnswer('trades', found, (row) => presentTrade(tradeOfRow(ids, row)))
    },
  )

  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/trades/:id',
      scope: 'read',
      tag: 'Trades',
      name: 'getTrade',
      summary: 'Get a trade of one of your orders',
      answer: named(Trade),
      errors: ['TRADE_NOT_FOUND'],
    },
    async ({ operator, shard, params, reads }) => {
      const { ids } = shard
      const row = await reads().trade(operator.number, serialOf(ids, params.id))
      if (row === null) return new Refusal('TRADE_NOT_FOUND', 'None of your trades has this id.')
      return new Done(presentTrade(tradeOfRow(ids, row)))
    },
  )
}
