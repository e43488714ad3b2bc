// Makers who quote both sides of every book around what is thought, and players who trade with
// them, at a calm pace.

import { isOutcryError, type LiveBook, OutcryClient } from '../client/src/outcry.ts'
import { between, cents, pick } from './opinion.ts'
import { type Floor, makerId, makerSets, type Scene } from './setup.ts'

/** Of the makers, who place about four orders at a time, and of all the players together. */
const quotesPerSecond = 4
const playerOrdersPerSecond = 14

type Place = { readonly floor: Floor; readonly outcome: number; readonly book: LiveBook }

export class Trading {
  readonly #places: Place[] = []
  readonly #quotes = new Map<LiveBook, readonly string[]>()
  /** Shares that players have bought and not sold, by player and outcome. */
  readonly #held = new Map<string, number>()
  readonly #stop = new AbortController()
  readonly #work: Promise<void>[] = []
  readonly #close: () => void
  orders = 0
  trades = 0

  constructor(baseUrl: string, { floors }: Scene) {
    const stream = new OutcryClient({ baseUrl }).stream()
    this.#close = () => stream.close()
    for (const floor of floors) {
      for (const [outcome, outcomeId] of floor.outcomeIds.entries()) {
        const book = stream.liveBook(floor.marketId, outcomeId)
        this.#places.push({ floor, outcome, book })
      }
    }
  }

  /** Fills every book once, then goes on by itself. */
  async start(): Promise<void> {
    const first = this.#places.map((place) => this.#attempt(place, () => this.#quote(place)))
    await Promise.all(first)
    this.#work.push(
      this.#repeat(quotesPerSecond, (place) => this.#quote(place)),
      this.#repeat(playerOrdersPerSecond, (place) => this.#play(place)),
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#work)
    this.#close()
  }

  async #repeat(perSecond: number, act: (place: Place) => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const started = performance.now()
      const place = pick(this.#places)
      if (place !== undefined) await this.#attempt(place, () => act(place))
      await this.#wait(1_000 / perSecond - (performance.now() - started))
    }
  }

  /** What goes wrong for one order is no reason to end the demonstration. */
  async #attempt(place: Place, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (isOutcryError(error, 'MARKET_NOT_OPEN')) await this.#leave(place.floor)
      else if (!isOutcryError(error) && !this.#stop.signal.aborted) throw error
    }
  }

  /** Cancels what the maker has there, and quotes anew around what is thought now. */
  async #quote(place: Place): Promise<void> {
    const { floor, outcome, book } = place
    const { marketId, outcomeIds, owner, opinion } = floor
    const { orders } = owner.client
    opinion.wander()
    const old = this.#quotes.get(book) ?? []
    await Promise.all(old.map((id) => orders.cancel(id).catch(ignoreClosed)))
    const middle = opinion.price(outcome)
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
        await this.#leave(floor)
        return
      } else if (result.error.code === 'POSITION_INSUFFICIENT_SHARES') {
        // A maker that has sold all its shares makes new ones.
        await owner.client.markets.mint(marketId, { playerId: makerId, shares: makerSets })
      }
    }
    this.#quotes.set(book, ids)
  }

  async #play({ floor, outcome, book }: Place): Promise<void> {
    const house = pick(floor.houses)
    const playerId = pick(house?.players ?? [])
    if (house === undefined || playerId === undefined || !book.isLive) return
    const held = `${playerId} ${book.outcomeId}`
    const shares = between(1, 40)
    const side = (this.#held.get(held) ?? 0) >= shares && Math.random() < 0.6 ? 'SELL' : 'BUY'
    const near = side === 'BUY' ? book.bestAsk : book.bestBid
    const { marketId, outcomeId } = book
    const order = { marketId, outcomeId, playerId, side, shares, type: 'LIMIT' } as const
    // Most take the price that is there; some wait for a better one.
    const isPatient = Math.random() < 0.3
    const price = near ?? floor.opinion.price(outcome)
    const away = isPatient ? between(1, 3) / 100 : 0
    const wanted = cents(price + (side === 'BUY' ? -away : away))
    const limit = Math.min(Math.max(wanted, 0.01), 0.99)
    const expiresAt = new Date(Date.now() + between(20, 90) * 1_000).toISOString()
    const placed = await house.client.orders.place({ ...order, price: limit, expiresAt })
    this.#count(placed)
    const filled = Number(placed.filledShares)
    // A sale counts whole: what is offered cannot be offered again.
    const change = side === 'BUY' ? filled : -shares
    this.#held.set(held, (this.#held.get(held) ?? 0) + change)
  }

  #count({ trades }: { readonly trades: readonly unknown[] }): void {
    this.orders += 1
    this.trades += trades.length
  }

  /** Its time is over: the operator closes it, and the answer is awaited. */
  async #leave(floor: Floor): Promise<void> {
    const others = this.#places.filter((place) => place.floor !== floor)
    this.#places.splice(0, this.#places.length, ...others)
    await floor.owner.client.markets.close(floor.marketId).catch(ignoreClosed)
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

/** It was filled, or somebody else has closed it. */
function ignoreClosed(error: unknown): void {
  if (!isOutcryError(error, 'ORDER_CANNOT_CANCEL', 'MARKET_INVALID_TRANSITION')) throw error
}
