// Streams and webhooks on nodes that do not own the shard: nothing is missed or repeated, whatever
// becomes of the owner.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, type TestContext, test } from 'node:test'
import { startNode } from '../support/cluster/nodes.ts'
import { StreamFollower } from '../support/cluster/stream-follower.ts'
import { GrpcClient, orderMessage, Reader } from '../support/grpc/grpc-client.ts'
import { OperatorClient, orderBody } from '../support/http/operator-client.ts'
import type { Json, Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { BookKeeper } from '../support/stream/book-keeper.ts'
import { StreamClient } from '../support/stream/stream-client.ts'
import { Receiver, respondOk, until } from '../support/webhooks/receiver.ts'
import { insecure } from '../support/webhooks/webhook-fixture.ts'
import { NodeNetwork } from './support/node-network.ts'

const server = await postgresOrNot('streams of a cluster', quick)
const unlimited = { RATE_LIMIT_REQUESTS: '0', RATE_LIMIT_ORDERS: '0', RATE_LIMIT_PUBLIC: '0' }
const env = { SHARDS: '1', ...insecure, ...unlimited }

/** Places orders through a node, one after the other, until it is stopped. */
class Trading {
  readonly #client: OperatorClient
  readonly #market: Json
  readonly #done: Promise<void>
  #isStopped = false
  placed = 0

  constructor(client: OperatorClient, market: Json) {
    this.#client = client
    this.#market = market
    this.#done = this.#trade()
  }

  async #trade(): Promise<void> {
    while (!this.#isStopped) {
      const side = this.placed % 2 === 0 ? 'SELL' : 'BUY'
      const price = (40 + (this.placed % 7)) / 100
      const placing = { price, shares: 1 + (this.placed % 3), transactionId: randomUUID() }
      await this.#place(orderBody(this.#market, side, placing))
      this.placed += 1
    }
  }

  /** A refusal by a node without a shard is repeated: the transactionId makes that safe. */
  async #place(order: Json): Promise<void> {
    for (;;) {
      const answer = await this.#client.request('POST', '/orders', order).catch(() => null)
      if (answer !== null && answer.status < 300) return
      if (answer !== null && answer.status !== 503) assert.fail(JSON.stringify(answer.body))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async orders(more: number): Promise<void> {
    const enough = this.placed + more
    await until(() => this.placed >= enough, 60_000)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
  }
}

if (server !== null) {
  after(() => server.stop())

  /** An owner, a node that never owns a shard, and one that takes over. */
  const newCluster = async (t: TestContext) => {
    const { url } = await server.newDatabase()
    const owner = await startNode(url, env)
    const front = await startNode(url, { ...env, NODE_SHARDS_MAX: '0' })
    const next = await startNode(url, env)
    const nodes = [front, next, owner]
    t.after(() => Promise.all(nodes.map((node) => node.kill())))
    const onFront = await OperatorClient.create(front)
    const market = await onFront.marketWithHolders({ ann: 100_000 })
    const onNext = new OperatorClient(next, onFront)
    return { url, owner, front, next, nodes, onFront, onNext, market }
  }

  const endings: readonly ['SIGTERM' | 'SIGKILL', (node: Service) => Promise<unknown>][] = [
    ['SIGTERM', (node) => node.stop()],
    ['SIGKILL', (node) => node.kill()],
  ]
  for (const [signal, end] of endings) {
    test(`a stream beside the owner misses nothing when ${signal} ends it`, async (t) => {
      const { owner, front, onFront, onNext, market } = await newCluster(t)
      const follower = new StreamFollower(onFront, market)
      await follower.follow(front)
      const trading = [new Trading(onFront, market), new Trading(onNext, market)]
      await trading[0]!.orders(30)
      await end(owner)
      for (const each of trading) await each.orders(30)
      for (const each of trading) await each.stop()
      await follower.assertWhole()
      assert.ok(follower.trades.length > 20)
      await follower.close()
    })
  }

  test('a stream at an owner that is cut from the database follows the next owner', async (t) => {
    const { url } = await server.newDatabase()
    const network = await NodeNetwork.open(url)
    const owner = await startNode(url, { ...env, ...network.env })
    const next = await startNode(url, env)
    t.after(() => Promise.all([owner, next].map((node) => node.kill())))
    t.after(() => network.close())
    const onNext = await OperatorClient.create(next)
    const market = await onNext.marketWithHolders({ ann: 100_000 })
    const trade = async () => {
      const trading = new Trading(onNext, market)
      await trading.orders(3)
      await trading.stop()
      return (await onNext.book(market)).version
    }
    const book = new BookKeeper()
    const onMessage = (message: Json) => {
      if (message.type.startsWith('orderbook.')) book.receive(message)
    }
    const stream = await StreamClient.open(owner.url, { onMessage })
    t.after(() => stream.close())
    const outcomeIds = [market.outcomes[0].id]
    const request = { op: 'subscribe', channels: ['orderbook'], marketIds: [market.id], outcomeIds }
    assert.equal((await stream.request(request)).type, 'subscribed')
    const first = await trade()
    await until(() => book.version === first)
    // The link to the next owner stays: its beats say who owns the shard before the database can.
    network.database.cut('silent')
    await trade()
    network.heal()
    await until(async () => (await owner.request('GET', '/ready')).status === 200)
    const last = await trade()
    await until(() => book.version === last)
  })

  test('gRPC streams on a node without shards continue with the next owner', async (t) => {
    const { owner, front, onFront, onNext, market } = await newCluster(t)
    const grpc = GrpcClient.of(front, onFront.key)
    t.after(() => grpc.close())
    const outcome = { market_id: market.id, outcome_id: market.outcomes[0].id }
    const books = new Reader(grpc.stream('MarketDataService/StreamOrderBook', outcome))
    const placing = grpc.duplex('OrderService/PlaceOrders')
    const results = new Reader(placing)
    const lastVersion = () => Number(books.messages.at(-1)?.version ?? -1)
    const place = (clientId: string) => {
      const order = orderMessage(market, 'BUY', { price: '0.3' })
      placing.write({ orders: [{ client_id: clientId, order }] })
    }
    place('before')
    await results.until(() => results.results.length === 1)
    await owner.kill()
    const trading = new Trading(onNext, market)
    await trading.orders(1)
    await trading.stop()
    const { version } = await onNext.book(market)
    await until(() => lastVersion() >= version)
    place('after')
    await results.until(() => results.results.length === 2)
    await until(() => lastVersion() > version)
    placing.end()
  })

  test('a receiver that does not answer delays no handover', async (t) => {
    const { owner, onNext, market } = await newCluster(t)
    const receiver = await Receiver.open(() => undefined)
    t.after(() => receiver.close())
    await onNext.post('/webhooks', { url: receiver.url })
    const place = () =>
      onNext.request('POST', '/orders', orderBody(market, 'BUY', { price: 0.3, shares: 1 }))
    await place()
    await until(() => receiver.received.length > 0)
    const stopping = owner.stop()
    let hasStopped = false
    const statuses = new Set<number>()
    const placing = (async () => {
      while (!hasStopped) statuses.add((await place()).status)
    })()
    assert.equal(await stopping, 0)
    hasStopped = true
    await placing
    assert.deepEqual([...statuses], [201])
    const { id } = receiver.received[0]!.event
    receiver.respond = respondOk
    await until(() => receiver.received.filter(({ event }) => event.id === id).length > 1, 30_000)
  })

  test('webhooks continue with the next owner: every event, under one id', async (t) => {
    const { owner, front, onFront, onNext, market } = await newCluster(t)
    const receiver = await Receiver.open()
    t.after(() => receiver.close())
    const hook = await onFront.post('/webhooks', { url: receiver.url })
    const test = await onFront.post(`/webhooks/${hook.id}/test`)
    assert.equal(test.status, 'DELIVERED')
    const from = (await onFront.events()).at(-1).sequence
    const trading = new Trading(onNext, market)
    await trading.orders(20)
    const { deliveries } = await onFront.get(`/webhooks/${hook.id}/deliveries`)
    assert.ok(deliveries.length > 1, 'the owner knows its attempts')
    await owner.kill()
    await trading.orders(20)
    await trading.stop()
    const stored = await onFront.events('', from)
    const ids = new Map<number, Set<string>>()
    const isAll = () => {
      for (const { event } of receiver.received) {
        ids.set(event.sequence, (ids.get(event.sequence) ?? new Set()).add(event.id))
      }
      return stored.every(({ sequence }) => ids.has(sequence))
    }
    await until(isAll, 20_000)
    for (const { sequence } of stored) assert.equal(ids.get(sequence)!.size, 1)
    assert.equal(front.hasEnded, false)
  })
}
