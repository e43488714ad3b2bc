// Clients that trade at random until the service goes away, and then ask again what was not
// answered, with the same transactionId. Every choice comes from a seed.

import type { Service } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import { History, idOf, type Operation } from './client-history.ts'
import type { Scene, SceneMarket, Trader } from './trading-fixture.ts'

/** Some clients never ask again: what became of their last request stays open. */
const givesUpPercent = 15
/** After being turned away. */
const pauseMs = 20
const retriesMax = 200

export class Clients {
  readonly history = new History()
  readonly #clients: Client[]
  #isStopping = false

  constructor(scene: Scene, { count, seed }: { count: number; seed: number }) {
    this.#clients = Array.from({ length: count }, (_, number) => {
      const trader = scene.traders[number % scene.traders.length]!
      const random = new Random(seed * 1_000 + number)
      return new Client({ number, trader, random, scene, history: this.history })
    })
  }

  /** Until `stop`, or until the service is gone. */
  async run(service: Service): Promise<void> {
    this.#isStopping = false
    await Promise.all(this.#clients.map((one) => one.run(service, () => this.#isStopping)))
  }

  stop(): void {
    this.#isStopping = true
  }

  /** When so many more were answered, or after that time. */
  async answers(count: number, waitMs: number): Promise<void> {
    const enough = this.history.answered + count
    const deadline = performance.now() + waitMs
    while (this.history.answered < enough && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  /** Asks once more what is still open, and nothing new. */
  async finish(service: Service): Promise<void> {
    await Promise.all(this.#clients.map((one) => one.finish(service)))
  }
}

type Environment = {
  readonly number: number
  readonly trader: Trader
  readonly random: Random
  readonly scene: Scene
  readonly history: History
}

class Client {
  readonly #at: Environment
  /** Orders of its own that may still rest. */
  readonly #orderIds: string[] = []
  #open: Operation | null = null
  #count = 0

  constructor(environment: Environment) {
    this.#at = environment
  }

  async run(service: Service, isStopping: () => boolean): Promise<void> {
    while (!isStopping()) {
      this.#open ??= this.#next()
      if (!(await this.#ask(service, this.#open))) return
    }
  }

  async finish(service: Service): Promise<void> {
    for (let retries = 0; this.#open !== null && retries < retriesMax; retries += 1) {
      await this.#ask(service, this.#open)
    }
  }

  /** False where the service seems to be gone. */
  async #ask(service: Service, operation: Operation): Promise<boolean> {
    const { history, random } = this.#at
    const verdict = await history.send(service, operation)
    if (verdict === 'done' || verdict === 'refused') {
      if (verdict === 'done' && operation.kind === 'place') this.#note(operation)
      this.#open = null
      return true
    }
    if (random.chance(givesUpPercent)) this.#open = null
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return verdict === 'unavailable' || !service.hasEnded
  }

  #note({ data }: Operation): void {
    if (data.status === 'PENDING' || data.status === 'PARTIAL') this.#orderIds.push(idOf(data))
  }

  #next(): Operation {
    const { history, number, random, scene, trader } = this.#at
    this.#count += 1
    const key = `${trader.name}-${number}-${this.#count}`
    const market = random.pick(scene.open.get(trader)!)
    const kind = random.weighted({ place: 70, cancel: 18, mint: 9, redeem: 3 })
    const about = { trader, method: 'POST', key } as const
    // The first thing a client does is to get something to sell.
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
    return `player-${this.#at.number}`
  }

  #order(market: SceneMarket, transactionId: string) {
    const { random } = this.#at
    const type = random.chance(8) ? 'MARKET' : 'LIMIT'
    return {
      marketId: market.id,
      outcomeId: random.pick(market.outcomeIds),
      playerId: this.#player,
      side: random.pick(['BUY', 'SELL']),
      type,
      // One in fifty is out of bounds.
      shares: random.chance(2) ? 1_000_000 : random.between(1, 20),
      ...(type === 'LIMIT' ? { price: random.between(40, 60) / 100 } : {}),
      transactionId,
    }
  }
}
