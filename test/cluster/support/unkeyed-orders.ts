// Orders without a transactionId: none may be executed twice, whatever happens, and an answer must
// be true. Each order has a player of its own, by which it is found in the store.

import {
  type Failure,
  failureOf,
  failuresMax,
  lostAnswer,
} from '../../fault/support/client-history.ts'
import type { FixtureMarket } from '../../fault/support/trading-fixture.ts'
import { dataAt } from '../../fault/support/verified-reads.ts'
import type { Answer, Json, Requestable, Service } from '../../support/process/outcry-process.ts'

/** `unknown` is no answer, or COMMIT_UNKNOWN. */
type Verdict = 'done' | 'refused' | 'unknown' | 'pending'

const pageSize = 1_000

type Seller = { readonly key: string; readonly market: FixtureMarket; readonly name: string }

export class UnkeyedOrders {
  readonly #seller: Seller
  readonly #verdicts = new Map<string, Verdict>()
  readonly unexpected: string[] = []
  /** Orders that were not answered, or with 503. */
  readonly failures: Failure[] = []
  #isStopping = false

  constructor(seller: Seller) {
    this.#seller = seller
  }

  count(verdict: Verdict): number {
    return [...this.#verdicts.values()].filter((one) => one === verdict).length
  }

  /** Resolves after `stop`. */
  async run(target: Requestable, { clients, thinkMs }: { clients: number; thinkMs: number }) {
    this.#isStopping = false
    const client = async () => {
      while (!this.#isStopping) {
        await this.send(target)
        await new Promise((resolve) => setTimeout(resolve, thinkMs))
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
  }

  stop(): void {
    this.#isStopping = true
  }

  async send(target: Pick<Requestable, 'request'>): Promise<Verdict> {
    const { key, market, name } = this.#seller
    const player = `${name}-${this.#verdicts.size}`
    this.#verdicts.set(player, 'pending')
    const about = { marketId: market.id, outcomeId: market.outcomeIds[0], playerId: player }
    const body = { ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }
    let verdict: Verdict = 'unknown'
    const startedAt = performance.now()
    try {
      const answer = await target.request('POST', '/api/v1/orders', { key, body })
      verdict = this.#judge(player, answer)
      if (answer.status === 503) this.#addFailure(failureOf(answer, performance.now() - startedAt))
    } catch (error) {
      // The node was killed.
      this.#addFailure(lostAnswer(error, performance.now() - startedAt))
    }
    this.#verdicts.set(player, verdict)
    return verdict
  }

  async violations(service: Service): Promise<string[]> {
    const stored = new Map<string, number>()
    for (const { playerId } of await this.#orders(service)) {
      stored.set(playerId, (stored.get(playerId) ?? 0) + 1)
    }
    const found = [...this.unexpected]
    for (const [player, verdict] of this.#verdicts) {
      const count = stored.get(player) ?? 0
      const [min, max] = [verdict === 'done' ? 1 : 0, verdict === 'refused' ? 0 : 1]
      if (count >= min && count <= max) continue
      found.push(`the order of ${player} is stored ${count} times, and was ${verdict}`)
    }
    return found
  }

  #judge(player: string, { status, body }: Answer): Verdict {
    const code: string = body.error?.code ?? ''
    if (status === 201) return 'done'
    if (status === 503 && code === 'COMMIT_UNKNOWN') return 'unknown'
    if (status === 503 && code === 'UNAVAILABLE') return 'refused'
    this.unexpected.push(`the order of ${player} was answered ${status} ${code}`)
    return 'unknown'
  }

  #addFailure(failure: Failure): void {
    if (this.failures.length < failuresMax) this.failures.push(failure)
  }

  async #orders(service: Service): Promise<Json[]> {
    const all: Json[] = []
    for (let after = ''; ; ) {
      const path = `/api/v1/orders?limit=${pageSize}${after}`
      const { orders, nextCursor } = await dataAt(service, path, this.#seller.key)
      all.push(...orders)
      if (nextCursor === null) return all
      after = `&cursor=${encodeURIComponent(nextCursor)}`
    }
  }
}
