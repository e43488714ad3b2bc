// The clients of one shard during a fault: keyed requests that are repeated until they are
// answered, unkeyed orders that are not, and a probe that measures when the shard answers again.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Failure } from '../../fault/support/client-history.ts'
import { Clients } from '../../fault/support/clients.ts'
import { recordsIn } from '../../fault/support/postgres-records.ts'
import { verify } from '../../fault/support/record-checks.ts'
import {
  createTradingFixture,
  type FixtureMarket,
  openMarket,
  type TradingFixture,
} from '../../fault/support/trading-fixture.ts'
import type { Requestable, Service } from '../../support/process/outcry-process.ts'
import { UnkeyedOrders } from './unkeyed-orders.ts'

const probeRetryMs = 20
const probeMsMax = 60_000

export type ShardLoadOptions = {
  readonly shard: number
  readonly clients: number
  readonly unkeyedClients: number
  readonly seed: number
  readonly thinkMs: number
}

export type Probed = { readonly key: string; readonly market: FixtureMarket }

export class ShardLoad {
  readonly shard: number
  readonly clients: Clients
  readonly unkeyed: UnkeyedOrders
  /** Its book changes only by probes. */
  readonly probed: Probed
  readonly #fixture: TradingFixture
  readonly #options: ShardLoadOptions
  #running: Promise<unknown> = Promise.resolve()

  private constructor(
    options: ShardLoadOptions,
    parts: { fixture: TradingFixture; unkeyed: UnkeyedOrders; probed: Probed },
  ) {
    const { clients: count, seed, shard, thinkMs } = options
    this.shard = shard
    this.#fixture = parts.fixture
    this.#options = options
    this.unkeyed = parts.unkeyed
    this.probed = parts.probed
    this.clients = new Clients(parts.fixture, { count, seed, thinkMs })
  }

  static async create(service: Service, options: ShardLoadOptions): Promise<ShardLoad> {
    const { shard } = options
    const fixture = await createTradingFixture(service, shard)
    const seller = await newSeller(service, shard)
    const probed = await newSeller(service, shard)
    const unkeyed = new UnkeyedOrders({ ...seller, name: `player-${shard}` })
    return new ShardLoad(options, { fixture, unkeyed, probed })
  }

  start(target: Requestable): void {
    const { unkeyedClients, thinkMs } = this.#options
    const unkeyed = { clients: unkeyedClients, thinkMs }
    this.#running = Promise.all([this.clients.run(target), this.unkeyed.run(target, unkeyed)])
  }

  /** No client sends another request. */
  endSoon(): void {
    this.clients.stop()
    this.unkeyed.stop()
  }

  /** Resolves when every request is answered, and those that were not are repeated. */
  async stop(target: Requestable): Promise<void> {
    this.endSoon()
    await this.#running
    await this.clients.finish(target)
  }

  async violations(service: Service, url: string): Promise<string[]> {
    const records = { ...recordsIn(url, this.shard), audit: async () => [] }
    const keyed = await verify(service, this.#fixture, this.clients.history, records)
    const found = [...keyed, ...(await this.unkeyed.violations(service))]
    return found.map((violation) => `shard ${this.shard}: ${violation}`)
  }

  /** How long it takes until an order of the shard is accepted, in ms. */
  async probe(target: Pick<Requestable, 'request'>): Promise<number> {
    const startedAt = performance.now()
    const { key, market } = this.probed
    const about = { marketId: market.id, outcomeId: market.outcomeIds[0], playerId: 'probe' }
    const order = { ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }
    const body = { ...order, transactionId: randomUUID() }
    for (;;) {
      const answer = await target
        .request('POST', '/api/v1/orders', { key, body })
        .catch(() => ({ status: 0, body: null }))
      const tookMs = performance.now() - startedAt
      if (answer.status === 201 || answer.status === 200) return tookMs
      if (tookMs > probeMsMax) {
        const text = JSON.stringify(answer.body)
        throw new Error(`Shard ${this.shard} accepts no order: ${answer.status} ${text}`)
      }
      await delay(probeRetryMs)
    }
  }

  get bookPath(): string {
    const { id, outcomeIds } = this.probed.market
    return `/api/v1/markets/${id}/orderbook/${outcomeIds[0]}`
  }

  /** Requests that were not answered, or with 503, since it was last called. */
  takeFailures(): { readonly keyed: Failure[]; readonly unkeyed: Failure[] } {
    const [keyed, unkeyed] = [this.clients.history.failures, this.unkeyed.failures]
    return { keyed: keyed.splice(0), unkeyed: unkeyed.splice(0) }
  }

  get figures() {
    const { history } = this.clients
    return {
      done: history.count('done') + this.unkeyed.count('done'),
      unavailable: history.count('unavailable') + this.unkeyed.count('refused'),
      unknown: history.count('unknown') + this.unkeyed.count('unknown'),
    }
  }
}

export async function newSeller(service: Service, shard: number): Promise<Probed> {
  const operator = await service.newOperator('operator', { shard })
  return { key: operator.key, market: await openMarket(service, operator) }
}
