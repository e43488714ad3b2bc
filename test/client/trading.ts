// Orders that come and go in one book for as long as a test wants.

import type { OutcryClient } from '../../client/src/outcry.ts'
import { Random } from '../support/process/random.ts'
import { limit } from './scene.ts'

type Place = { readonly marketId: string; readonly outcomeId: string }

/** Places and cancels, one after the other, until it is told to stop; says how many it placed. */
export function trade(client: OutcryClient, place: Place): { stop(): Promise<number> } {
  let isStopped = false
  const random = new Random(1)
  const placed: string[] = []
  const work = async () => {
    while (!isStopped) {
      const side = random.chance(50) ? 'BUY' : 'SELL'
      const price = random.between(30, 70) / 100
      const { order } = await client.orders.place(limit(place, side, { price, shares: 1 }))
      placed.push(order.id)
      if (order.status === 'PENDING' && random.chance(30)) await client.orders.cancel(order.id)
    }
    return placed.length
  }
  const working = work()
  return {
    stop: () => {
      isStopped = true
      return working
    },
  }
}
