// A client of the stream that follows one market and all events of its operator on one node, and
// compares what it has received with what is stored.

import assert from 'node:assert/strict'
import type { OperatorClient } from '../http/operator-client.ts'
import type { Json, Service } from '../process/outcry-process.ts'
import { BookKeeper, bookText } from '../stream/book-keeper.ts'
import { StreamClient } from '../stream/stream-client.ts'
import { until } from '../webhooks/receiver.ts'

const catchUpMsMax = 20_000

export class StreamFollower {
  readonly #operator: OperatorClient
  readonly #market: Json
  readonly book = new BookKeeper()
  readonly events: Json[] = []
  readonly trades: Json[] = []
  price: Json = null
  #client: StreamClient | null = null
  /** What a message has violated. */
  #failure: unknown = null

  constructor(operator: OperatorClient, market: Json) {
    this.#operator = operator
    this.#market = market
  }

  async follow(node: Service): Promise<void> {
    const { key } = this.#operator
    const onMessage = (message: Json) => this.#receive(message)
    this.#client = await StreamClient.open(node.url, { key, onMessage })
    const channels = ['orderbook', 'prices', 'trades', 'events']
    const outcomeIds = [this.#market.outcomes[0].id]
    const marketIds = [this.#market.id]
    const request = { op: 'subscribe', channels, marketIds, outcomeIds, since: 0 }
    const { type, error } = await this.#client.request(request)
    assert.equal(type, 'subscribed', JSON.stringify(error))
  }

  #receive(message: Json): void {
    try {
      if (message.type.startsWith('orderbook.')) this.book.receive(message)
      if (message.type === 'event') this.events.push(message.event)
      if (message.type === 'trade') this.trades.push(message)
      if (message.type === 'price') this.price = message
    } catch (error) {
      this.#failure ??= error
    }
  }

  /** Waits until everything that is stored has arrived, and nothing else. */
  async assertWhole(): Promise<void> {
    const stored = await this.#operator.events()
    const book = await this.#operator.book(this.#market, 0, '?depth=1000')
    const prices = await this.#operator.prices(this.#market)
    const tape = await this.#tape()
    const isDone = () =>
      this.events.length >= stored.length &&
      this.trades.length >= tape.length &&
      (this.book.version ?? 0) >= book.version &&
      this.price?.lastPrice === prices.lastPrice &&
      this.price?.bestBid === prices.bestBid
    await until(isDone, catchUpMsMax).catch(() => undefined)
    if (this.#failure !== null) throw this.#failure
    assert.equal(this.#client?.isOpen, true, 'the connection is open')
    const sequences = this.events.map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      stored.map((_, at) => at + 1),
      'every event arrives once, in order',
    )
    assert.deepEqual(this.events, stored)
    assert.equal(this.book.version, book.version)
    assert.equal(this.book.at(book.version), bookText(book))
    const { bestAsk, bestBid, lastPrice } = this.price
    assert.deepEqual(
      { bestAsk, bestBid, lastPrice },
      { bestAsk: prices.bestAsk, bestBid: prices.bestBid, lastPrice: prices.lastPrice },
    )
    assert.deepEqual(
      this.trades.map(({ price, shares }) => [price, shares]),
      tape.map(({ price, shares }) => [price, shares]),
      'every trade arrives once, in order',
    )
  }

  /** Oldest first. */
  async #tape(): Promise<Json[]> {
    const path = `/markets/${this.#market.id}/trades/${this.#market.outcomes[0].id}`
    const all: Json[] = []
    for (let cursor = ''; ; ) {
      const page = await this.#operator.get(`${path}?limit=100${cursor}`)
      all.push(...page.trades)
      if (page.nextCursor === null || page.nextCursor === undefined) return all.reverse()
      cursor = `&cursor=${page.nextCursor}`
    }
  }

  async close(): Promise<void> {
    await this.#client?.close()
  }
}
