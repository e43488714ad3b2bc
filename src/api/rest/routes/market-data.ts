// Public books and prices, and the statistics of an operator.

import { Type } from 'typebox'
import { assert } from '../../../core/assert.ts'
import { refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { serialOf } from '../../parse/serial.ts'
import { presentStatistics } from '../../present/market.ts'
import { presentBook, presentPrices } from '../../present/market-data.ts'
import { named } from '../../schemas/fields.ts'
import {
  DepthQuery,
  depthDefault,
  OrderBook,
  OutcomePrice,
  Statistics,
} from '../../schemas/market-data.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

export function addMarketData(routes: Routes, context: Context): void {
  addBook(routes, context)
  addPrices(routes, context)
  addStatistics(routes)
}

function addBook(routes: Routes, { shards }: Context): void {
  routes.public(
    {
      method: 'GET',
      path: '/api/v1/markets/:marketId/orderbook/:outcomeId',
      tag: 'Market data',
      name: 'getOrderBook',
      summary: 'Get the order book of an outcome',
      query: DepthQuery,
      answer: named(OrderBook),
      errors: ['MARKET_NOT_FOUND', 'OUTCOME_NOT_FOUND'],
    },
    async ({ params, query }) => {
      const { ids, submit } = shards.ofId(params.marketId)
      const result = await submit('book', {
        marketSerial: serialOf(ids, params.marketId),
        outcomeSerial: serialOf(ids, params.outcomeId),
        depth: query.depth ?? depthDefault,
        withImplied: query.implied ?? false,
      })
      return result.isAccepted ? new Done(presentBook(result.answer)) : refusalOf(result.reject)
    },
  )
}

function addPrices(routes: Routes, { shards }: Context): void {
  routes.public(
    {
      method: 'GET',
      path: '/api/v1/markets/:marketId/prices',
      tag: 'Market data',
      name: 'getPrices',
      summary: 'Get the prices of every outcome',
      answer: Type.Array(named(OutcomePrice)),
      errors: ['MARKET_NOT_FOUND'],
    },
    async ({ params }) => {
      const { ids, submit } = shards.ofId(params.marketId)
      const marketSerial = serialOf(ids, params.marketId)
      const result = await submit('prices', { marketSerial, outcomeSerial: null })
      if (!result.isAccepted) return refusalOf(result.reject)
      return new Done(result.answer.map(presentPrices))
    },
  )

  routes.public(
    {
      method: 'GET',
      path: '/api/v1/markets/:marketId/prices/:outcomeId',
      tag: 'Market data',
      name: 'getOutcomePrices',
      summary: 'Get the prices of one outcome',
      answer: named(OutcomePrice),
      errors: ['MARKET_NOT_FOUND', 'OUTCOME_NOT_FOUND'],
    },
    async ({ params }) => {
      const { ids, submit } = shards.ofId(params.marketId)
      const marketSerial = serialOf(ids, params.marketId)
      const outcomeSerial = serialOf(ids, params.outcomeId)
      const result = await submit('prices', { marketSerial, outcomeSerial })
      if (!result.isAccepted) return refusalOf(result.reject)
      const [prices] = result.answer
      assert(prices !== undefined, 'an outcome that was found has prices')
      return new Done(presentPrices(prices))
    },
  )
}

function addStatistics(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/stats/overview',
      scope: 'read',
      tag: 'Statistics',
      name: 'getStatistics',
      summary: 'Count your markets',
      answer: named(Statistics),
    },
    async ({ operator, reads }) =>
      new Done(presentStatistics(await reads().marketCounts(operator.number))),
  )
}
