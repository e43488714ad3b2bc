// Market makers that quote both sides of every book around the estimate, and players that trade
// with them, at a slow pace.

import { isOutcryError, type LiveBook, OutcryClient } from '../client/src/outcry.ts'
import { between, cents, pick } from './estimate.ts'
import { type Demo, makerId, makerSets, type TradingMarket } from './setup.ts'

/** Rates of all makers, which place several orders at a time, and of all players. */
const quotesPerSecond = 4
const playerOrdersPerSecond = 14

type TradedBook = {
  readonly market: TradingMarket
  readonly outcome: number
  readonly book: LiveBook
}

export class Trading {
  readonly #books: TradedBook[] = []
  readonly #quotes = new Map<LiveBook, readonly string[]>()
  /** Shares that players have bought and not sold, by player and outcome. */
  readonly #held = new Map<string, number>()
  readonly #stop = new AbortController()
  readonly #work: Promise<void>[] = []
  readonly #closeStream: () => void
  orders = 0
  trades = 0

  constructor(baseUrl: string, { markets }: Demo) {
    const stream = new OutcryClient({ baseUrl }).stream()
    this.#closeStream = () => stream.close()
    for (const market of markets) {
      for (const [outcome, outcomeId] of market.outcomeIds.entries()) {
        const book = stream.liveBook(market.marketId, outcomeId)
        this.#books.push({ market, outcome, book })
      }
    }
  }

  /** Quotes every book once, then trades until `stop`. */
  async start(): Promise<void> {
    const first = this.#books.map((traded) => this.#attempt(traded, () => this.#quote(traded)))
    await Promise.all(first)
    this.#work.push(
      this.#repeat(quotesPerSecond, (traded) => this.#quote(traded)),
      this.#repeat(playerOrdersPerSecond, (traded) => this.#play(traded)),
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#work)
    this.#closeStream()
  }

  async #repeat(perSecond: number, act: (traded: TradedBook) => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const started = performance.now()
      const traded = pick(this.#books)
      if (traded !== undefined) await this.#attempt(traded, () => act(traded))
      await this.#wait(1_000 / perSecond - (performance.now() - started))
    }
  }

  /** A failed order does not end the demo. */
  async #attempt(traded: TradedBook, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (isOutcryError(error, 'MARKET_NOT_OPEN')) await this.#close(traded.market)
      else if (!isOutcryError(error) && !this.#stop.signal.aborted) throw error
    }
  }

  /** Replaces the maker's quotes by new ones around the current estimate. */
  async #quote(traded: TradedBook): Promise<void> {
    const { market, outcome, book } = traded
    const { marketId, outcomeIds, owner, estimate } = market
    const { orders } = owner.client
    estimate.move()
    const old = this.#quotes.get(book) ?? []
    await Promise.all(old.map((id) => orders.cancel(id).catch(ignoreClosed)))
    const middle = estimate.price(outcome)
    const order = { marketId, outcomeId: outcomeIds[outcome] ?? '', playerId: makerId } as const
    const quotes = [1, 2, 4].flatMap((away) =>
      (['BUY', 'SELL'] as const).map((side) => {
        const price = cents(middle + (side === 'BUY' ? -away : away) / 100)
        return { ...order, type: 'LIMIT' as const, side, price, shares: between(2, 20) * 10 }
      }),
    )
    const inRange = quotes.filter(({ price }) => price >= 0.01 && price <= 0.99)
    const ids: string[] = []
    for (const result of (await orders.placeBatch(inRange)).results) {
      if (result.success) {
        this.#count(result.data)
        if (result.data.order.status === 'PENDING') ids.push(result.data.order.id)
      } else if (result.error.code === 'MARKET_NOT_OPEN') {
        await this.#close(market)
        return
      } else if (result.error.code === 'POSITION_INSUFFICIENT_SHARES') {
        // A maker that has sold all its shares mints new ones.
        await owner.client.markets.mint(marketId, { playerId: makerId, shares: makerSets })
      }
    }
    this.#quotes.set(book, ids)
  }

  async #play({ market, outcome, book }: TradedBook): Promise<void> {
    const operator = pick(market.operators)
    const playerId = pick(operator?.players ?? [])
    if (operator === undefined || playerId === undefined || !book.isLive) return
    const held = `${playerId} ${book.outcomeId}`
    const shares = between(1, 40)
    const side = (this.#held.get(held) ?? 0) >= shares && Math.random() < 0.6 ? 'SELL' : 'BUY'
    const near = side === 'BUY' ? book.bestAsk : book.bestBid
    const { marketId, outcomeId } = book
    const order = { marketId, outcomeId, playerId, side, shares, type: 'LIMIT' } as const
    // Most players accept the best price; some wait for a better one.
    const isPatient = Math.random() < 0.3
    const price = near ?? market.estimate.price(outcome)
    const away = isPatient ? between(1, 3) / 100 : 0
    const limitPrice = cents(price + (side === 'BUY' ? -away : away))
    const limit = Math.min(Math.max(limitPrice, 0.01), 0.99)
    const expiresAt = new Date(Date.now() + between(20, 90) * 1_000).toISOString()
    const placed = await operator.client.orders.place({ ...order, price: limit, expiresAt })
    this.#count(placed)
    const filled = Number(placed.filledShares)
    // A sale counts in full, because offered shares cannot be offered again.
    const change = side === 'BUY' ? filled : -shares
    this.#held.set(held, (this.#held.get(held) ?? 0) + change)
  }

  #count({ trades }: { readonly trades: readonly unknown[] }): void {
    this.orders += 1
    this.trades += trades.length
  }

  /** Stops trading in a market whose time is over, and closes it. */
  async #close(market: TradingMarket): Promise<void> {
    const others = this.#books.filter((traded) => traded.market !== market)
    this.#books.splice(0, this.#books.length, ...others)
    await market.owner.client.markets.close(market.marketId).catch(ignoreClosed)
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#stop
    if (ms <= 0 || signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          resolve()
        },
        { once: true },
      )
    })
  }
}

/** The order is already filled or closed. */
function ignoreClosed(error: unknown): void {
  if (!isOutcryError(error, 'ORDER_CANNOT_CANCEL', 'MARKET_INVALID_TRANSITION')) throw error
}
