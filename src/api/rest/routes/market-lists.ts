// Lists of markets, for their operator and for the administrator, and what a list shows of the
// trading in each.

import { marketStatuses } from '../../../core/words.ts'
import { operatorNotFound } from '../../../registry/reject.ts'
import {
  countedMax,
  type MarketPage,
  type MarketSort,
  type OperatorRow,
  type RecordStore,
} from '../../../store/store.ts'
import { invalidField, Refusal, refusalOfRegistry } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { afterOf } from '../../parse/cursor.ts'
import { idsOf } from '../../parse/id-list.ts'
import { serialOf } from '../../parse/serial.ts'
import { wordsOf } from '../../parse/word-list.ts'
import { presentMarket } from '../../present/market.ts'
import { presentSummary } from '../../present/market-summary.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import { Market, MarketsQuery, marketPageSize } from '../../schemas/market.ts'
import { MarketSummaries, SummariesQuery, summariesMax } from '../../schemas/market-summary.ts'
import type { ShardAccess } from '../../shards.ts'
import { costOfBytes } from '../answer-cost.ts'
import type { Context } from '../context.ts'
import { pageAnswer } from '../page-answer.ts'
import type { Routes } from './routes.ts'

export function addMarketLists(routes: Routes, context: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/markets',
      scope: 'read',
      tag: 'Markets',
      name: 'listMarkets',
      summary: 'List markets, newest first or sorted',
      description:
        'A page of markets with long texts has fewer than the limit, and counts as several ' +
        'requests, by its length.',
      query: MarketsQuery,
      answer: page('markets', named(Market)),
      csv: { field: 'markets', row: Market },
    },
    async ({ operator, shard, query, reads, charge }) => {
      const found = await readPage(context, { operator, shard, query, reads })
      if (found instanceof Refusal) return found
      const refusal = charge(costOfBytes(found.bytes))
      return refusal ?? pageAnswer('markets', found, (row) => presentMarket(shard.ids, row))
    },
  )
  addSummaries(routes, context)
  addOfOperator(routes, context)
}

function addSummaries(routes: Routes, { now }: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/markets/summaries',
      scope: 'read',
      tag: 'Markets',
      name: 'getMarketSummaries',
      summary: 'Summarize the last 24 hours of markets',
      description:
        'For a list of markets: the volume of each, and the price of its favourite outcome. ' +
        'In the order in which they were created; markets that the operator does not see are ' +
        'left out. Counts as one request per market.',
      query: SummariesQuery,
      answer: MarketSummaries,
    },
    async ({ operator, shard, query, reads, charge }) => {
      const ids = idsOf('marketIds', query.marketIds, summariesMax)
      if (ids instanceof Refusal) return ids
      const refusal = charge(ids.length - 1)
      if (refusal !== null) return refusal
      const summaries = await reads().marketSummaries({
        operatorNumber: operator.number,
        supportedCurrencies: operator.supportedCurrencies,
        marketSerials: ids.map((id) => serialOf(shard.ids, id)),
        now: now(),
      })
      return new Done({ summaries: summaries.map((row) => presentSummary(shard.ids, row)) })
    },
  )
}

function addOfOperator(routes: Routes, context: Context): void {
  const { registry, shards } = context
  routes.admin(
    {
      method: 'GET',
      path: '/api/v1/admin/operators/:id/markets',
      tag: 'Administration',
      name: 'listMarketsOfOperator',
      summary: "List an operator's markets, newest first or sorted",
      query: MarketsQuery,
      answer: page('markets', named(Market)),
      csv: { field: 'markets', row: Market },
      errors: ['OPERATOR_NOT_FOUND'],
    },
    async ({ params, query, readsIn }) => {
      const operator = registry.operators.get(params.id.toLowerCase())
      if (operator === undefined) return refusalOfRegistry(operatorNotFound)
      const shard = shards.of(operator)
      const reads = () => readsIn(shard)
      const found = await readPage(context, { operator, shard, query, reads })
      if (found instanceof Refusal) return found
      return pageAnswer('markets', found, (row) => presentMarket(shard.ids, row))
    },
  )
}

type PageRequest = {
  readonly operator: OperatorRow
  readonly shard: ShardAccess
  readonly query: MarketsQuery
  readonly reads: () => RecordStore
}

async function readPage(
  { now }: Context,
  { operator, shard, query, reads }: PageRequest,
): Promise<MarketPage | Refusal> {
  const after = afterOf(shard.ids, 'markets', query.cursor)
  if (after instanceof Refusal) return after
  const statuses = wordsOf('status', query.status, marketStatuses)
  if (statuses instanceof Refusal) return statuses
  const sort = sortOf(query)
  const found = await reads().markets({
    operatorNumber: operator.number,
    categoryId: query.categoryId?.toLowerCase() ?? null,
    statuses,
    search: query.search ?? null,
    sharedIn: query.shared === true ? operator.supportedCurrencies : null,
    attentionAt: query.attention === true ? now() : null,
    sort,
    after,
    limit: query.limit ?? marketPageSize,
  })
  return sort !== null && !found.totalIsExact ? tooManyToSort : found
}

/** null for the usual order, which needs no sorting. */
function sortOf({ sort = 'createdAt', order = 'desc' }: MarketsQuery): MarketSort | null {
  if (sort === 'createdAt' && order === 'desc') return null
  return { by: sort, isAscending: order === 'asc' }
}

const tooManyToSort = invalidField(
  'sort',
  `is possible for up to ${countedMax} markets, and more match: filter them by status, ` +
    'categoryId or search',
)
