// Trades, positions, settlements and exposure of players.

import type { Settlement, ValuedPosition } from '../generated/wire.ts'
import { eachItem, type Paged, pageSizeMax } from '../pages.ts'
import type { BodyOf, CallOptions, QueryOf, Transport } from '../transport.ts'

type TradesQuery = QueryOf<'GET /api/v1/trades'>
type PlayersQuery = QueryOf<'GET /api/v1/players'>
type HoldingsQuery = QueryOf<'GET /api/v1/positions'>
type SettlementsQuery = QueryOf<'GET /api/v1/settlements'>
type Whole<Query> = Omit<Query, keyof Paged>

export class Trades {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** One page, newest first. */
  list(query: TradesQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/trades', { query }, options)
  }

  get(tradeId: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/trades/{}', { ids: [tradeId] }, options)
  }

  /** All trades, page by page. */
  each(query: TradesQuery = {}, options?: CallOptions) {
    const fetchPage = (page: TradesQuery) => this.list({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ trades }) => trades, query)
  }

  /** All trades as CSV, one text for each page: write them one after the other. */
  csv(query: TradesQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/trades', { query: paged }, options)
  }
}

export class Positions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All matches, in one answer. */
  async list(
    query: Whole<HoldingsQuery> = {},
    options?: CallOptions,
  ): Promise<readonly ValuedPosition[]> {
    const answer = await this.#transport.call('GET /api/v1/positions', { query }, options)
    return 'positions' in answer ? answer.positions : answer
  }

  async page(query: HoldingsQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    const answer = await this.#transport.call('GET /api/v1/positions', { query: paged }, options)
    return 'positions' in answer ? answer : wholePage({ positions: answer }, answer)
  }

  /** All matches, page by page. */
  each(query: HoldingsQuery = {}, options?: CallOptions) {
    const fetchPage = (page: Paged) => this.page({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ positions }) => positions, query)
  }

  /** All positions as CSV, one text for each page: write them one after the other. */
  csv(query: HoldingsQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/positions', { query: paged }, options)
  }
}

export class Settlements {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All matches, in one answer. */
  async list(
    query: Whole<SettlementsQuery> = {},
    options?: CallOptions,
  ): Promise<readonly Settlement[]> {
    const answer = await this.#transport.call('GET /api/v1/settlements', { query }, options)
    return 'settlements' in answer ? answer.settlements : answer
  }

  async page(query: SettlementsQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    const answer = await this.#transport.call('GET /api/v1/settlements', { query: paged }, options)
    return 'settlements' in answer ? answer : wholePage({ settlements: answer }, answer)
  }

  /** All matches, page by page. */
  each(query: SettlementsQuery = {}, options?: CallOptions) {
    const fetchPage = (page: Paged) => this.page({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ settlements }) => settlements, query)
  }

  /** All settlements as CSV, one text for each page: write them one after the other. */
  csv(query: SettlementsQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/settlements', { query: paged }, options)
  }

  /** Reports that the settlement was paid, or why not. */
  acknowledge(
    settlementId: string,
    body: BodyOf<'POST /api/v1/settlements/{}/acknowledge'>,
    options?: CallOptions,
  ) {
    const request = { ids: [settlementId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('POST /api/v1/settlements/{}/acknowledge', request, options)
  }
}

export class Players {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** One page of the players that have had a position. */
  list(query: PlayersQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/players', { query }, options)
  }

  /** All players, page by page. */
  each(query: PlayersQuery = {}, options?: CallOptions) {
    const fetchPage = (page: PlayersQuery) => this.list({ ...query, ...page }, options)
    return eachItem(fetchPage, ({ players }) => players, query)
  }

  /** All players as CSV, one text for each page: write them one after the other. */
  csv(query: PlayersQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/players', { query: paged }, options)
  }

  /** What the positions of the player are worth, and their profit, by currency. */
  valuation(playerId: string, options?: CallOptions) {
    const request = { ids: [playerId] }
    return this.#transport.call('GET /api/v1/players/{}/valuation', request, options)
  }

  /** The amount that the operator must keep locked for the player. */
  exposure(playerId: string, options?: CallOptions) {
    const request = { ids: [playerId] }
    return this.#transport.call('GET /api/v1/players/{}/exposure', request, options)
  }

  /** The brake on the player. */
  controls(playerId: string, options?: CallOptions) {
    const request = { ids: [playerId] }
    return this.#transport.call('GET /api/v1/players/{}/controls', request, options)
  }

  /** Puts a brake on the player, or releases it; resolves when the last order is cancelled. */
  putControls(
    playerId: string,
    body: BodyOf<'PUT /api/v1/players/{}/controls'>,
    options?: CallOptions,
  ) {
    const request = { ids: [playerId], body, retry: 'ALWAYS' } as const
    return this.#transport.call('PUT /api/v1/players/{}/controls', request, options)
  }
}

function wholePage<Items extends object>(items: Items, { length }: { readonly length: number }) {
  return { ...items, total: length, totalIsExact: true, hasMore: false, nextCursor: null }
}
