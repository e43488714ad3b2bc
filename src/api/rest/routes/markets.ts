// Creating, editing and reading a market. Status changes are in lifecycle.ts, lists in
// market-lists.ts.

import { categoryNotFound } from '../../../registry/reject.ts'
import type { OperatorRow } from '../../../store/store.ts'
import { Refusal, refusalOf, refusalOfRegistry } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { createMarketOf, marketChangesOf } from '../../parse/market.ts'
import { serialOf } from '../../parse/serial.ts'
import { presentMarket } from '../../present/market.ts'
import { named } from '../../schemas/fields.ts'
import { CreateMarketBody, EditMarketBody, Market } from '../../schemas/market.ts'
import type { Context } from '../context.ts'
import { earlierMarket } from '../earlier-market.ts'
import { marketAnswer } from '../market-answer.ts'
import { visibleMarket } from '../visible-market.ts'
import type { Routes } from './routes.ts'

export function addMarkets(routes: Routes, context: Context): void {
  addWrites(routes, context)
  addRead(routes)
}

function addWrites(routes: Routes, context: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/markets',
      scope: 'manage',
      tag: 'Markets',
      name: 'createMarket',
      summary: 'Create a market',
      description: 'The market starts as a DRAFT, which only its owner can see.',
      body: CreateMarketBody,
      answer: named(Market),
      status: 201,
      errors: ['CATEGORY_NOT_FOUND', 'OPERATOR_LIMIT'],
    },
    async ({ operator, shard, body, bodyCost, chargeAfter, attempt }) => {
      const command = createMarketOf(operator.id, body)
      if (command instanceof Refusal) return command
      const refused = checkCategory(context, operator, command.categoryId)
      if (refused !== null) return refused
      const caller = { operator, shard }
      const earlier = await earlierMarket(caller, command, attempt)
      if (earlier !== null) return marketAnswer(caller, earlier, 201)
      const result = await shard.submit('createMarket', command)
      chargeAfter({ result, counted: 1 + bodyCost })
      if (!result.isAccepted) return refusalOf(result.reject)
      return marketAnswer(caller, result.answer.marketSerial, 201)
    },
  )

  routes.operator(
    {
      method: 'PATCH',
      path: '/api/v1/markets/:id',
      scope: 'manage',
      tag: 'Markets',
      name: 'editMarket',
      summary: 'Edit a market',
      description:
        'Title, description, trading times and fee schedule can be changed only in DRAFT or ' +
        'UPCOMING, the price band until the market is RESOLVED or CANCELLED, other fields at any ' +
        'time. null clears a field.',
      body: EditMarketBody,
      answer: named(Market),
      errors: ['MARKET_NOT_FOUND', 'CATEGORY_NOT_FOUND', 'MARKET_NOT_EDITABLE', 'OPERATOR_LIMIT'],
    },
    async ({ operator, shard, params, body }) => {
      const changes = marketChangesOf(body)
      if (changes instanceof Refusal) return changes
      const refused = checkCategory(context, operator, changes.categoryId)
      if (refused !== null) return refused
      const marketSerial = serialOf(shard.ids, params.id)
      const command = { operatorId: operator.id, marketSerial, changes }
      const result = await shard.submit('editMarket', command)
      if (!result.isAccepted) return refusalOf(result.reject)
      return marketAnswer({ operator, shard }, marketSerial)
    },
  )
}

function addRead(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/markets/:id',
      scope: 'read',
      tag: 'Markets',
      name: 'getMarket',
      summary: 'Get a market',
      answer: named(Market),
      errors: ['MARKET_NOT_FOUND'],
    },
    async ({ operator, shard, params, reads }) => {
      const market = await visibleMarket({ operator, shard, reads }, params.id)
      return market instanceof Refusal ? market : new Done(presentMarket(shard.ids, market))
    },
  )
}

function checkCategory(
  { registry }: Context,
  operator: OperatorRow,
  categoryId: string | null | undefined,
): Refusal | null {
  if (categoryId === null || categoryId === undefined) return null
  if (registry.categories.isUsableBy(operator.id, categoryId)) return null
  return refusalOfRegistry(categoryNotFound)
}
