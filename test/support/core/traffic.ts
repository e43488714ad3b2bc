// Seeded traffic: players of three operators mint, redeem, place and cancel in two markets. Some of
// their commands are rejected. The same seed makes the same commands.

import assert from 'node:assert/strict'
import type { Serial } from '../../../src/core/ids.ts'
import { Random } from '../process/random.ts'
import { house, type OrderOptions, participant, TestExchange, type Turn } from './exchange.ts'

const operators = [house, participant, 'third'] as const
const players = ['ann', 'bob', 'cid'] as const

/** Two open markets that all may trade in. */
export function busyMarkets(): { readonly exchange: TestExchange; readonly markets: Serial[] } {
  const exchange = new TestExchange()
  exchange.putOperator('third', 0.25)
  const markets = [{ operator: house }, { operator: participant, outcomes: ['A', 'B', 'C'] }].map(
    (market) => {
      exchange.createMarket({ ...market, isShared: true })
      exchange.manage('open', market)
      return exchange.marketSerial
    },
  )
  return { exchange, markets }
}

/** Event by event: a difference of two long lists takes minutes to print. */
export function assertSameEvents(actual: TestExchange, expected: TestExchange): void {
  for (const [at, event] of expected.events.entries()) {
    assert(actual.events.length > at, `event ${at} is missing`)
    assert.deepEqual(actual.events[at], event)
  }
  assert.equal(actual.events.length, expected.events.length)
}

export class Traffic {
  readonly #exchange: TestExchange
  readonly #markets: readonly Serial[]
  readonly #random: Random
  readonly #orders: { readonly id: string; readonly operator: string }[] = []

  constructor(
    { exchange, markets }: { exchange: TestExchange; markets: readonly Serial[] },
    seed: number,
  ) {
    this.#exchange = exchange
    this.#markets = markets
    this.#random = new Random(seed)
  }

  /** One command. */
  step(): Turn {
    const random = this.#random
    const operator = random.pick(operators)
    const player = random.pick(players)
    const aim = { operator, market: random.pick(this.#markets) }
    const shares = random.between(50, 2_000) / 100
    const deed = random.weighted({ buy: 40, sell: 40, mint: 10, redeem: 3, cancel: 15 })
    if (deed === 'cancel') return this.#cancel()
    if (deed === 'mint' || deed === 'redeem') return this.#exchange[deed](player, shares, aim)
    return this.#place(deed, player, shares, aim)
  }

  /** So many commands; time moves on now and then. */
  run(steps: number): Turn[] {
    return Array.from({ length: steps }, () => {
      if (this.#random.chance(10)) this.#exchange.wait(this.#random.between(1, 500))
      return this.step()
    })
  }

  #place(side: 'buy' | 'sell', player: string, shares: number, aim: OrderOptions): Turn {
    const random = this.#random
    const exchange = this.#exchange
    const price = random.chance(10) ? 'market' : random.between(4_000, 6_000) / 10_000
    const expiresAt = exchange.now + random.between(1, 2_000)
    const options = { ...aim, outcome: random.between(0, 1) }
    const turn = random.chance(20)
      ? exchange[side](player, shares, price, { ...options, expiresAt })
      : exchange[side](player, shares, price, options)
    if (turn.placement !== null) {
      this.#orders.push({ id: turn.placement.order.id, operator: aim.operator! })
    }
    return turn
  }

  // Mostly one of the latest, which may still be open.
  #cancel(): Turn {
    const latest = this.#orders.slice(-30)
    const { id, operator } =
      latest.length > 0 ? this.#random.pick(latest) : { id: '', operator: house }
    return this.#exchange.cancel(id, operator)
  }
}
