// Clients that trade at random until the service is gone, and then repeat unanswered requests with
// the same transactionId. Every choice comes from a seed.

import type { Requestable } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import { History, idOf, type Operation } from './client-history.ts'
import type { FixtureMarket, Trader, TradingFixture } from './trading-fixture.ts'

/** Some clients never repeat a request: its outcome stays unknown. */
const givesUpPercent = 15
/** After an answer UNAVAILABLE. */
const pauseMs = 20
const retriesMax = 200

export type ClientsOptions = {
  readonly count: number
  readonly seed: number
  /** Between an answer and the next request of a client. */
  readonly thinkMs?: number
}

export class Clients {
  readonly history = new History()
  readonly #clients: Client[]
  #isStopping = false

  constructor(fixture: TradingFixture, { count, seed, thinkMs = 0 }: ClientsOptions) {
    this.#clients = Array.from({ length: count }, (_, number) => {
      const trader = fixture.traders[number % fixture.traders.length]!
      const random = new Random(seed * 1_000 + number)
      return new Client({ number, trader, random, fixture, history: this.history, thinkMs })
    })
  }

  /** Resolves after `stop`, or when the service is gone. */
  async run(service: Requestable): Promise<void> {
    this.#isStopping = false
    await Promise.all(this.#clients.map((one) => one.run(service, () => this.#isStopping)))
  }

  stop(): void {
    this.#isStopping = true
  }

  /** Resolves after so many further answers, or after that time. */
  async answers(count: number, waitMs: number): Promise<void> {
    const enough = this.history.answered + count
    const deadline = performance.now() + waitMs
    while (this.history.answered < enough && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  /** Repeats the unanswered requests. */
  async finish(service: Requestable): Promise<void> {
    await Promise.all(this.#clients.map((one) => one.finish(service)))
  }
}

type ClientContext = {
  readonly number: number
  readonly trader: Trader
  readonly random: Random
  readonly fixture: TradingFixture
  readonly history: History
  readonly thinkMs: number
}

class Client {
  readonly #context: ClientContext
  /** Its orders that may still rest. */
  readonly #orderIds: string[] = []
  #open: Operation | null = null
  #count = 0

  constructor(context: ClientContext) {
    this.#context = context
  }

  async run(service: Requestable, isStopping: () => boolean): Promise<void> {
    const { thinkMs } = this.#context
    while (!isStopping()) {
      this.#open ??= this.#next()
      if (!(await this.#send(service, this.#open))) return
      if (thinkMs > 0) await new Promise((resolve) => setTimeout(resolve, thinkMs))
    }
  }

  async finish(service: Requestable): Promise<void> {
    for (let retries = 0; this.#open !== null && retries < retriesMax; retries += 1) {
      await this.#send(service, this.#open)
    }
  }

  /** Returns false if the service seems to be gone. */
  async #send(service: Requestable, operation: Operation): Promise<boolean> {
    const { history, random } = this.#context
    const verdict = await history.send(service, operation)
    if (verdict === 'done' || verdict === 'rejected') {
      if (verdict === 'done' && operation.kind === 'place') this.#rememberOrder(operation)
      this.#open = null
      return true
    }
    if (random.chance(givesUpPercent)) this.#open = null
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return verdict === 'unavailable' || !service.hasEnded
  }

  #rememberOrder({ data }: Operation): void {
    if (data.status === 'PENDING' || data.status === 'PARTIAL') this.#orderIds.push(idOf(data))
  }

  #next(): Operation {
    const { history, number, random, fixture, trader } = this.#context
    this.#count += 1
    const key = `${trader.name}-${number}-${this.#count}`
    const market = random.pick(fixture.open.get(trader)!)
    const kind = random.weighted({ place: 70, cancel: 18, mint: 9, redeem: 3 })
    const about = { trader, method: 'POST', key } as const
    // A client first mints shares that it can sell.
    if (kind === 'mint' || kind === 'redeem' || this.#count === 1) {
      const isRedeem = kind === 'redeem' && this.#count > 1
      const path = `/api/v1/markets/${market.id}/${isRedeem ? 'redeem' : 'mint'}`
      const body = { playerId: this.#player, shares: random.between(1, 40), transactionId: key }
      return history.add({ ...about, kind: isRedeem ? 'redeem' : 'mint', path, body })
    }
    const orderId = kind === 'cancel' ? this.#orderIds.shift() : undefined
    if (orderId !== undefined) {
      const path = `/api/v1/orders/${orderId}`
      return history.add({ kind: 'cancel', trader, method: 'DELETE', path, body: null, key: null })
    }
    const body = this.#order(market, key)
    return history.add({ ...about, kind: 'place', path: '/api/v1/orders', body })
  }

  get #player(): string {
    return `player-${this.#context.number}`
  }

  #order(market: FixtureMarket, transactionId: string) {
    const { random } = this.#context
    const type = random.chance(8) ? 'MARKET' : 'LIMIT'
    return {
      marketId: market.id,
      outcomeId: random.pick(market.outcomeIds),
      playerId: this.#player,
      side: random.pick(['BUY', 'SELL']),
      type,
      // One in fifty exceeds the maximum.
      shares: random.chance(2) ? 1_000_000 : random.between(1, 20),
      ...(type === 'LIMIT' ? { price: random.between(40, 60) / 100 } : {}),
      transactionId,
    }
  }
}
