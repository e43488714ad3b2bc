// Follows the events of an operator over the WebSocket stream, over restarts: after each one it
// subscribes again from the last event that it has received. Every event must arrive once, in
// order, and as it is stored.

import type { Json, Service } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'
import { allEvents } from './event-checks.ts'
import type { Trader } from './trading-fixture.ts'

/** Not a bound of the service: without it, a lost event would stop the run. */
const catchUpMsMax = 60_000
const checkEveryMs = 20

export class StreamConsumer {
  readonly #trader: Trader
  readonly #received: Json[] = []
  #client: StreamClient | null = null
  /** How often it has subscribed. */
  subscriptions = 0

  constructor(trader: Trader) {
    this.#trader = trader
  }

  get received(): number {
    return this.#received.length
  }

  /** Connects to a service; what the last one sent has arrived by then. */
  async follow(service: Service): Promise<void> {
    await this.close()
    const onMessage = (message: Json) => {
      if (message.type === 'event') this.#received.push(message.event)
    }
    const { key } = this.#trader
    try {
      const options = { key, onMessage, isKept: false }
      this.#client = await StreamClient.open(service.url, options)
      const since = this.#received.at(-1)?.sequence ?? 0
      this.#client.send({ op: 'subscribe', channels: ['events'], since })
      this.subscriptions += 1
    } catch {
      // The service was killed; the next one has the rest.
    }
  }

  async close(): Promise<void> {
    this.#client?.socket.close()
    await this.#client?.closed
    this.#client = null
  }

  /** Receives what is left, and compares it with the stored events. The service must be idle. */
  async violations(service: Service): Promise<string[]> {
    await this.follow(service)
    const stored = await allEvents(service, this.#trader)
    const deadline = performance.now() + catchUpMsMax
    while (this.received < stored.length && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
    }
    await this.close()
    const { name } = this.#trader
    const at = this.#received.findIndex(({ sequence }, index) => sequence !== index + 1)
    if (at >= 0) {
      return [`${name}: the stream sent event ${this.#received[at].sequence} after event ${at}`]
    }
    if (this.received !== stored.length) {
      return [`${name}: the stream sent ${this.received} of ${stored.length} events`]
    }
    const changed = stored.find(
      (event, index) => JSON.stringify(event) !== JSON.stringify(this.#received[index]),
    )
    return changed === undefined
      ? []
      : [`${name}: the stream sent another event ${changed.sequence}`]
  }
}
