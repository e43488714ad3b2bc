// How trading goes on after the first day, and the requests that are sent once more.

import type { OperatorClient } from '../../support/http/operator-client.ts'
import type { Json } from '../../support/process/outcry-process.ts'
import { withoutMessage } from './answers.ts'
import type { Named, Operators } from './scene.ts'
import { crossInTide } from './scene-trading.ts'

/** The service was stopped over night: what was due meanwhile has just happened. */
export async function playSecondDay(
  { harbour, lagoon }: Pick<Operators, 'harbour' | 'lagoon'>,
  named: Named,
): Promise<Named> {
  const { rain, cup, tide, selfOpened, postOnly } = named
  await crossInTide({ harbour, lagoon }, tide, { from: 40, to: 60 })
  await harbour.buy(rain, { player: 'bob', shares: 1, price: 0.55 })
  await harbour.patch(`/orders/${postOnly.id}`, { price: 0.46, shares: 5 })
  await harbour.mint(selfOpened, 'eve', 40)
  await harbour.sell(selfOpened, { player: 'eve', price: 0.7, shares: 3 })
  const oldest = { player: 'eve', selfTradePrevention: 'CANCEL_OLDEST' }
  await harbour.buy(selfOpened, { ...oldest, price: 0.71, shares: 2 })
  await harbour.buy(selfOpened, { player: 'fay', price: 0.69, shares: 4 })
  await lagoon.sell(cup, { player: 'lea', outcome: 1, price: 0.9, shares: 2 })
  const order = { marketId: rain.id, outcomeId: rain.outcomes[1].id, side: 'BUY', type: 'LIMIT' }
  const asked = ['ann', 'bob', 'cat'].map((playerId, at) => {
    return { ...order, playerId, shares: 3 + at, price: 0.3, transactionId: `batch-${at}` }
  })
  const refused = { ...order, playerId: 'dot', shares: -1, price: 0.3 }
  const { results } = await harbour.post('/orders/batch', { orders: [...asked, refused] })
  return { batched: results[0].data.order }
}

export type Replay = {
  readonly path: string
  readonly body: Json
  readonly status: number
  readonly answer: Json
}

const transactionIds = ['ask-1', 'buy-1', 'bid-1', 'batch-0', 'tide-63', 'fok-1', 'post-1']

/** Requests under transactionIds that were used, and what the service says to them. */
export async function replayAll(house: OperatorClient, named: Named): Promise<Replay[]> {
  const requests: { path: string; body: Json }[] = []
  for (const transactionId of [...transactionIds, 'of-settled']) {
    const { orders } = await house.get(`/orders?transactionId=${transactionId}`)
    requests.push({ path: '/orders', body: requestOf(orders[0]) })
  }
  const sets = { playerId: 'sam', shares: 100, transactionId: 'mint-1' }
  requests.push({ path: `/markets/${named.rain.id}/mint`, body: sets })
  const replays: Replay[] = []
  for (const { path, body } of requests) {
    const answer = await house.request('POST', path, body)
    replays.push({ path, body, status: answer.status, answer: withoutMessage(answer.body) })
  }
  return replays
}

function requestOf(order: Json): Json {
  const { marketId, outcomeId, playerId, side, type, transactionId, expiresAt } = order
  const { timeInForce, postOnly, selfTradePrevention } = order
  return {
    marketId,
    outcomeId,
    playerId,
    side,
    type,
    transactionId,
    expiresAt,
    timeInForce,
    postOnly,
    selfTradePrevention,
    shares: Number(order.shares),
    price: Number(order.price),
  }
}
