// What one connection sees of one outcome's book or prices: first how it stands, then each change.
// A change that was told between the question and its answer is kept and sent behind it, unless the
// answer has it already.

import type { Batch, Piece, TopicListener } from '../../feed/outbox.ts'
import { joined } from '../../feed/topic.ts'
import type { SendBuffer } from './send-buffer.ts'

export type ViewOptions = {
  readonly sendBuffer: Pick<SendBuffer, 'isOpen' | 'isSlow' | 'send' | 'drained'>
  /** How it stands now; throws where that cannot be told. */
  readonly ask: () => Promise<Piece>
  /** Versions must follow each other by one: a client would be wrong without the one between. */
  readonly isGapless: boolean
}

const keptMax = 10_000
const retryMs = 500

export class OutcomeView implements TopicListener {
  /** The last version that was told, whether it was sent or not; null before the first. */
  told: number | null = null
  readonly #options: ViewOptions
  #state: 'asking' | 'live' | 'behind' | 'closed' = 'behind'
  #sent = 0
  #kept: Piece[] = []

  constructor(options: ViewOptions) {
    this.#options = options
  }

  /** Sends how it stands, now and whenever it must be said again. */
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
    this.told = last
    if (this.#state === 'asking') this.#keep(pieces)
    if (this.#state !== 'live') return
    if (sendBuffer.isSlow) {
      this.#state = 'behind'
      void this.#catchUp()
    } else if (this.#follows(pieces)) {
      sendBuffer.send(whole)
      this.#sent = last
    } else {
      // Something was not told to us: the state as a whole mends it.
      this.#state = 'behind'
      void this.#catchUp()
    }
  }

  // Too many: what is thrown away here shows as a gap behind the answer.
  #keep(pieces: readonly Piece[]): void {
    if (this.#kept.length + pieces.length > keptMax) this.#kept = []
    this.#kept.push(...pieces)
  }

  #follows(pieces: readonly Piece[]): boolean {
    const last = pieces.at(-1)
    if (!this.#options.isGapless || last === undefined) return true
    return pieces[0]!.number === this.#sent + 1 && last.number === this.#sent + pieces.length
  }

  // Asks until an answer can be sent and what follows it is complete.
  async #catchUp(): Promise<void> {
    const { sendBuffer } = this.#options
    while (this.#isWanted) {
      if (sendBuffer.isSlow) {
        this.#become('behind')
        await sendBuffer.drained()
        continue
      }
      this.#become('asking')
      const piece = await this.#options.ask().catch(() => null)
      if (!this.#isWanted) return
      if (piece === null) await new Promise((resolve) => setTimeout(resolve, retryMs))
      else if (!sendBuffer.isSlow && this.#send(piece)) return
    }
  }

  get #isWanted(): boolean {
    return this.#state !== 'closed' && this.#options.sendBuffer.isOpen
  }

  #become(state: 'asking' | 'behind'): void {
    this.#state = state
    this.#kept = []
  }

  #send(piece: Piece): boolean {
    const { sendBuffer } = this.#options
    const kept = this.#kept.filter(({ number }) => number > piece.number)
    sendBuffer.send(piece.frame)
    this.#sent = piece.number
    this.told = Math.max(this.told ?? 0, piece.number)
    if (!this.#follows(kept)) return false
    if (kept.length > 0) sendBuffer.send(joined(kept))
    this.#sent = kept.at(-1)?.number ?? this.#sent
    this.#kept = []
    this.#state = 'live'
    return true
  }
}
