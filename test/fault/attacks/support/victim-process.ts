// The process of the victim: an honest operator at a low fixed rate. Latency counts from when a
// request was due, so a service that stalls cannot hide it by delaying the load.

import { percentile } from '../../../../bench/support/percentiles.ts'
import { atFixedRate } from './fixed-rate.ts'
import { HttpCaller } from './http-caller.ts'
import {
  type VictimCommand,
  type VictimJob,
  type VictimReport,
  type VictimRequest,
  victimRequests,
} from './round-messages.ts'

/** Of each kind of request. */
const perSecond = 40
/** An unanswered request counts as this late. */
const answerMsMax = 5_000

class Victim {
  readonly #job: VictimJob
  readonly #caller: HttpCaller
  readonly #orderIds: string[] = []
  readonly #transactionIds: string[] = []
  #count = 0

  constructor(job: VictimJob) {
    this.#job = job
    this.#caller = new HttpCaller({ url: job.url, key: job.key, sockets: 256 })
  }

  async measure(ms: number): Promise<VictimReport> {
    const latencies: Record<VictimRequest, number[]> = { order: [], read: [], replay: [] }
    const refused: Record<string, number> = {}
    const pending: Promise<void>[] = []
    const start = async (kind: VictimRequest, dueAt: number) => {
      const failure = await Promise.race([this.#send(kind), late()])
      latencies[kind].push(performance.now() - dueAt)
      if (failure !== null) refused[failure] = (refused[failure] ?? 0) + 1
    }
    // Something to read and to replay.
    if (this.#orderIds.length === 0) await this.#send('order')
    const rate = { perSecond: perSecond * victimRequests.length, ms }
    await atFixedRate(rate, (number, dueAt) => {
      pending.push(start(victimRequests[number % victimRequests.length]!, dueAt))
    })
    await Promise.all(pending)
    const p99 = (kind: VictimRequest) =>
      percentile(
        latencies[kind].sort((a, b) => a - b),
        0.99,
      )
    return {
      p99: { order: p99('order'), read: p99('read'), replay: p99('replay') },
      sent: pending.length,
      refused,
    }
  }

  /** null, or why it was no success. */
  async #send(kind: VictimRequest): Promise<string | null> {
    try {
      if (kind === 'read') {
        const { status } = await this.#caller.call('GET', `/api/v1/orders/${this.#orderIds.at(-1)}`)
        return status === 200 ? null : `${kind} ${status}`
      }
      const transactionId = kind === 'replay' ? this.#transactionIds.at(-1)! : this.#nextId()
      const body = { ...this.#order(), transactionId }
      const { status, text } = await this.#caller.call('POST', '/api/v1/orders', {
        body,
        isWhole: true,
      })
      if (status !== (kind === 'order' ? 201 : 200)) return `${kind} ${status}`
      if (kind === 'order') this.#orderIds.push(JSON.parse(text).data.order.id)
      if (kind === 'order') this.#transactionIds.push(transactionId)
      return null
    } catch {
      return `${kind} without an answer`
    }
  }

  #nextId(): string {
    this.#count += 1
    return `victim-${this.#count}`
  }

  #order() {
    const { id, outcomeIds } = this.#job.market
    const about = { marketId: id, outcomeId: outcomeIds[0], playerId: 'ann' }
    return { ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }
  }
}

function late(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, answerMsMax, `no answer within ${answerMsMax} ms`).unref()
  })
}

const victim = new Victim(JSON.parse(process.argv[2] ?? '{}'))
process.on('message', async ({ ms }: VictimCommand) => {
  process.send?.(await victim.measure(ms))
})
