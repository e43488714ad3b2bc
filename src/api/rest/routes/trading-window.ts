// Changing the end of trading of a market that has opened.

import { assert } from '../../../core/assert.ts'
import { refusalOf } from '../../errors.ts'
import { serialOf } from '../../parse/serial.ts'
import { timeOf } from '../../parse/time.ts'
import { named } from '../../schemas/fields.ts'
import { ChangeTradingWindowBody, Market } from '../../schemas/market.ts'
import { isWindowChanged } from '../earlier-window.ts'
import { marketAnswer } from '../market-answer.ts'
import type { Routes } from './routes.ts'

export function addTradingWindow(routes: Routes): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/markets/:id/trading-window',
      scope: 'manage',
      tag: 'Markets',
      name: 'changeTradingWindow',
      summary: 'Extend or shorten the trading of an OPEN or SUSPENDED market',
      description:
        'The event MARKET_UPDATED has the new end and the reason. Trading in an OPEN market that ' +
        'had ended goes on.',
      body: ChangeTradingWindowBody,
      answer: named(Market),
      errors: ['MARKET_NOT_FOUND', 'MARKET_NOT_EDITABLE'],
    },
    async ({ operator, shard, params, body, attempt }) => {
      const caller = { operator, shard }
      const marketSerial = serialOf(shard.ids, params.id)
      const tradingEndsAt = timeOf(body.tradingEndsAt)
      assert(tradingEndsAt !== null, 'the schema has validated the time')
      const { reason } = body
      const command = { operatorId: operator.id, marketSerial, tradingEndsAt, reason }
      if (await isWindowChanged(caller, command, attempt)) return marketAnswer(caller, marketSerial)
      const result = await shard.submit('changeTradingWindow', command)
      return result.isAccepted ? marketAnswer(caller, marketSerial) : refusalOf(result.reject)
    },
  )
}
