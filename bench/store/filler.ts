// Submits the commands that fill a store to an engine: markets, players with shares, and orders
// that match or rest. The same options always give the same records, except for their times.

import { setTimeout as pause } from 'node:timers/promises'
import { ProgressBar } from '../../src/cli/progress-bar.ts'
import type { Serial } from '../../src/core/ids.ts'
import type { Price, Shares } from '../../src/core/money.ts'
import {
  type CommandKind,
  type Commands,
  type PlaceOrder,
  Unavailable,
} from '../../src/engine/commands.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { Random } from '../../test/support/process/random.ts'
import type { LoadMarket } from '../http/load-target.ts'
import type { Filling } from './filled-store.ts'

/** Commands that are submitted together: they share turns, and the queue stays short. */
const commandsAtOnce = 2_000
const marketsAtOnce = 250
const retryMs = 100
const sharesEach = 10_000_000 as Shares
const mintsEach = 2
const seed = 20_261_115
/** In ticks: the spread between a BUY and a SELL that must not match. */
const apart = 5_000

/** The serials of a market and its outcomes. */
type Place = LoadMarket & { readonly market: Serial; readonly outcomes: readonly Serial[] }
type Pair = {
  readonly place: Place
  readonly outcome: Serial
  readonly shares: Shares
  readonly price: number
}

export class Filler {
  readonly #engine: Engine
  readonly #operatorId: string
  readonly #filling: Filling
  readonly #random = new Random(seed)
  readonly #bar = new ProgressBar()

  constructor(engine: Engine, operatorId: string, filling: Filling) {
    this.#engine = engine
    this.#operatorId = operatorId
    this.#filling = filling
  }

  async fill() {
    const markets = await this.#fillMarkets()
    const middleOrderId = await this.#fillOrders(markets)
    this.#bar.end()
    return { markets: markets.map(({ market, outcomes, ...place }) => place), middleOrderId }
  }

  async #fillMarkets(): Promise<Place[]> {
    const { markets: count } = this.#filling
    const markets: Place[] = []
    while (markets.length < count) {
      const missing = Math.min(marketsAtOnce, count - markets.length)
      const numbers = Array.from({ length: missing }, (_, number) => markets.length + number)
      markets.push(...(await Promise.all(numbers.map((number) => this.#openMarket(number)))))
      this.#bar.show(markets.length / count, `of ${count} markets`)
    }
    return markets
  }

  async #openMarket(number: number): Promise<Place> {
    const operatorId = this.#operatorId
    const { marketSerial } = await this.#submit('createMarket', newMarket(operatorId, number))
    await this.#submit('manage', { operatorId, marketSerial, action: 'open' })
    const holders = this.#holdersOf(number)
    const mint = { operatorId, marketSerial, kind: 'MINT', shares: sharesEach } as const
    for (let times = 0; times < mintsEach; times += 1) {
      const mints = holders.map((playerId) => ({ ...mint, playerId, transactionId: null }))
      await Promise.all(mints.map((command) => this.#submit('changeSets', command)))
    }
    const prices = await this.#submit('prices', { marketSerial, outcomeSerial: null })
    const outcomeIds = prices.map(({ outcomeId }) => outcomeId)
    const outcomes = outcomeIds.map((id) => this.#engine.ids.serialOf(id)!)
    return { market: marketSerial, outcomes, marketId: prices[0]!.marketId, outcomeIds, holders }
  }

  // Different players in every market, so that all players have the same records in sum.
  #holdersOf(number: number): string[] {
    const { players, holdersPerMarket } = this.#filling
    return Array.from({ length: holdersPerMarket }, (_, holder) =>
      playerName((number * holdersPerMarket + holder) % players),
    )
  }

  /** The id of an order in the middle of the list. */
  async #fillOrders(markets: readonly Place[]): Promise<string> {
    const { orders: count } = this.#filling
    let middleOrderId = ''
    for (let made = 0; made < count; ) {
      const pairCount = Math.ceil(Math.min(commandsAtOnce, count - made) / 2)
      const commands = Array.from({ length: pairCount }, () =>
        this.#ordersOf(this.#newPair(markets)),
      ).flat()
      const answers = await Promise.all(commands.map((command) => this.#submit('place', command)))
      if (made <= count / 2) middleOrderId = answers[answers.length >> 1]!.order.id
      made += commands.length
      this.#bar.show(made / count, `of ${count} orders`)
    }
    return middleOrderId
  }

  #newPair(markets: readonly Place[]): Pair {
    const random = this.#random
    const place = random.pick(markets)
    const shares = (random.between(1, 100) * 100) as Shares
    const price = random.between(1, 48) * 100
    return { place, outcome: random.pick(place.outcomes), shares, price }
  }

  // A BUY and a SELL of the same shares in one book. They match, or both rest.
  #ordersOf({ place, outcome, shares, price }: Pair): readonly [PlaceOrder, PlaceOrder] {
    const { players, isResting } = this.#filling
    const order = {
      operatorId: this.#operatorId,
      marketSerial: place.market,
      outcomeSerial: outcome,
      shares,
      type: 'LIMIT',
      expiresAt: null,
      options: 0,
      transactionId: null,
    } as const
    const buyer = playerName(this.#random.between(0, players - 1))
    const seller = this.#random.pick(place.holders)
    const command = (isResting ? price + apart : price) as Price
    return [
      { ...order, side: 'BUY', playerId: buyer, price: price as Price },
      { ...order, side: 'SELL', playerId: seller, price: command },
    ]
  }

  async #submit<Kind extends CommandKind>(
    kind: Kind,
    command: Commands[Kind]['command'],
  ): Promise<Commands[Kind]['answer']> {
    for (;;) {
      try {
        const result = await this.#engine.submit(kind, command)
        if (result.isAccepted) return result.answer
        throw new Error(`${kind} was refused: ${JSON.stringify(result.reject)}`)
      } catch (error) {
        // The disk was slow for a moment, and the command was not accepted.
        if (!(error instanceof Unavailable)) throw error
        await pause(retryMs)
      }
    }
  }
}

export function playerName(number: number): string {
  return `player-${number}`
}

function newMarket(operatorId: string, number: number): Commands['createMarket']['command'] {
  return {
    operatorId,
    title: `Bench ${number}`,
    description: null,
    imageUrl: null,
    categoryId: null,
    metadata: null,
    tradingStartsAt: null,
    tradingEndsAt: null,
    currency: 'USD',
    outcomes: null,
    isShared: false,
    hasCompleteSetMatching: false,
  }
}
