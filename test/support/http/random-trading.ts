// Players that place, match and cancel orders at random, several at once, until they are stopped.

import type { Json } from '../process/outcry-process.ts'
import type { Random } from '../process/random.ts'
import type { OperatorClient } from './operator-client.ts'

export type Trading = {
  /** How many requests were answered so far. */
  count(): number
  stop(): Promise<void>
}

export type TradingOptions = {
  readonly operator: OperatorClient
  readonly markets: readonly Json[]
  readonly random: Random
  readonly traders?: number
  /** Between two requests of a trader. */
  readonly pauseMs?: number
}

/** Gives every player shares to sell. */
export async function endow(operator: OperatorClient, markets: readonly Json[]): Promise<void> {
  for (const market of markets) {
    for (const player of players) await operator.mint(market, player, 50_000)
  }
}

const players = ['ann', 'bob', 'cid'] as const

export function trade({ operator, markets, random, traders = 6, pauseMs = 0 }: TradingOptions) {
  let isOver = false
  let count = 0
  const open: Json[] = []
  const step = async () => {
    if (random.chance(25) && open.length > 0) {
      const [order] = open.splice(random.between(0, open.length - 1), 1)
      await operator.request('DELETE', `/orders/${order.id}`)
      return
    }
    const placing = {
      player: random.pick(players),
      outcome: random.between(0, 1),
      price: random.between(30, 70) / 100,
      shares: random.between(1, 20),
    }
    const side = random.chance(50) ? 'BUY' : 'SELL'
    const { body } = await operator.tryOrder(random.pick(markets), side, placing)
    const order = body?.data?.order
    if (order?.status === 'PENDING' || order?.status === 'PARTIAL') open.push(order)
  }
  const run = async () => {
    while (!isOver) {
      // The service may be down for a while: that is the point of some tests.
      const isDone = await step().then(
        () => true,
        () => false,
      )
      if (isDone) count += 1
      await new Promise((resolve) => setTimeout(resolve, isDone ? pauseMs : 20))
    }
  }
  const all = Promise.all(Array.from({ length: traders }, run))
  const trading: Trading = {
    count: () => count,
    stop: async () => {
      isOver = true
      await all
    },
  }
  return trading
}
