// One outcome's book or prices on one connection: first the whole state, then each change. A change
// that is published between the query and its answer is kept and sent after the answer, unless the
// answer contains it.

import type { Batch, Piece, TopicListener } from '../../feed/outbox.ts'
import { joined } from '../../feed/topic.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import { isOwnFault, refusalOfFault } from '../faults.ts'
import type { SendBuffer } from './send-buffer.ts'

export type ViewOptions = {
  readonly sendBuffer: Pick<SendBuffer, 'isOpen' | 'isSlow' | 'send' | 'drained'>
  /** The current state; throws if it is not available. */
  readonly query: () => Promise<Piece>
  /** Whether versions must increase by one, because a client needs every change. */
  readonly isGapless: boolean
  readonly reportFailure: ReportFailure
}

const keptMax = 10_000
const retryMs = 500

export class OutcomeView implements TopicListener {
  /** The last published version, whether it was sent or not; null before the first. */
  published: number | null = null
  readonly #options: ViewOptions
  #state: 'querying' | 'live' | 'behind' | 'closed' = 'behind'
  #sent = 0
  #kept: Piece[] = []
  /** Changes may have been missed since the last query was sent. */
  #mayMiss = false

  constructor(options: ViewOptions) {
    this.#options = options
  }

  /** Sends the whole state, now and whenever changes were missed. */
  start(): void {
    void this.#catchUp()
  }

  close(): void {
    this.#state = 'closed'
    this.#kept = []
  }

  receive({ pieces, whole }: Batch): void {
    const { sendBuffer } = this.#options
    const last = pieces.at(-1)!.number
    this.published = Math.max(this.published ?? 0, last)
    if (this.#state === 'querying') this.#keep(pieces)
    if (this.#state !== 'live') return
    // A turn of another node may arrive after the answer to a query that contains it.
    const isNews = pieces[0]!.number > this.#sent
    const news = isNews ? pieces : pieces.filter((piece) => this.#isNews(piece))
    if (news.length === 0) return
    // If a change is missing, the whole state replaces it.
    if (sendBuffer.isSlow || !this.#follows(news)) this.#fallBehind()
    else {
      sendBuffer.send(isNews ? whole : joined(news))
      this.#sent = Math.max(this.#sent, last)
    }
  }

  #isNews({ number }: Piece): boolean {
    return number > this.#sent || number === 0
  }

  resync(): void {
    if (this.#state === 'live') this.#fallBehind()
    else this.#mayMiss = true
  }

  #fallBehind(): void {
    this.#state = 'behind'
    void this.#catchUp()
  }

  // Too many: the discarded changes show as a gap after the answer.
  #keep(pieces: readonly Piece[]): void {
    if (this.#kept.length + pieces.length > keptMax) this.#kept = []
    this.#kept.push(...pieces)
  }

  #follows(pieces: readonly Piece[]): boolean {
    const last = pieces.at(-1)
    if (!this.#options.isGapless || last === undefined) return true
    return pieces[0]!.number === this.#sent + 1 && last.number === this.#sent + pieces.length
  }

  // Queries until an answer can be sent and no change after it is missing.
  async #catchUp(): Promise<void> {
    while (this.#isWanted) {
      try {
        if (await this.#sendState()) return
      } catch (error) {
        this.#reportOwnFault(error)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  /** Returns whether the client has the state and every change after it. */
  async #sendState(): Promise<boolean> {
    const { sendBuffer, query } = this.#options
    if (sendBuffer.isSlow) {
      this.#become('behind')
      await sendBuffer.drained()
      return false
    }
    this.#become('querying')
    this.#mayMiss = false
    const piece = await query()
    return this.#isWanted && !sendBuffer.isSlow && this.#send(piece)
  }

  // An engine that is not available is no failure of this connection.
  #reportOwnFault(error: unknown): void {
    if (!isOwnFault(error, refusalOfFault(error))) return
    this.#options.reportFailure('stream', 'sending the state of an outcome failed', { error })
  }

  get #isWanted(): boolean {
    return this.#state !== 'closed' && this.#options.sendBuffer.isOpen
  }

  #become(state: 'querying' | 'behind'): void {
    this.#state = state
    this.#kept = []
  }

  #send(piece: Piece): boolean {
    const { sendBuffer } = this.#options
    const kept = this.#kept.filter(({ number }) => number > piece.number)
    sendBuffer.send(piece.frame)
    this.#sent = piece.number
    this.published = Math.max(this.published ?? 0, piece.number)
    if (this.#mayMiss || !this.#follows(kept)) return false
    if (kept.length > 0) sendBuffer.send(joined(kept))
    this.#sent = kept.at(-1)?.number ?? this.#sent
    this.#kept = []
    this.#state = 'live'
    return true
  }
}
