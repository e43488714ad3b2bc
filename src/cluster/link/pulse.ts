// The signs of life of a link: beats leave from the event loop, and a silent other side is given
// up. A process that was itself stopped for so long gives up the link, too, instead of executing
// what waited for it: the other side has already counted that as lost.

const beatMs = 500
export const silenceMs = 1_500
/**
 * Over a Unix socket the end of a process is noticed at once, and silence only means that the
 * machine is overloaded.
 */
const localSilenceMs = 10_000

export type PulseOptions = {
  /** Whether the other side is a process of this machine. */
  readonly isLocal: boolean
  readonly beat: () => void
  readonly onSilence: () => void
}

export class Pulse {
  readonly #options: PulseOptions
  readonly #silenceMs: number
  readonly #beats: NodeJS.Timeout
  #silence: NodeJS.Timeout
  #heardAt = performance.now()

  constructor(options: PulseOptions) {
    this.#options = options
    this.#beats = setInterval(options.beat, beatMs).unref()
    this.#silenceMs = options.isLocal ? localSilenceMs : silenceMs
    this.#silence = this.#checkIn(this.#silenceMs)
  }

  /** A frame of the other side has arrived. It must not be read if the silence was too long. */
  hear(): boolean {
    const now = performance.now()
    if (now - this.#heardAt > this.#silenceMs) {
      this.#options.onSilence()
      return false
    }
    this.#heardAt = now
    return true
  }

  stop(): void {
    clearInterval(this.#beats)
    clearTimeout(this.#silence)
  }

  #checkIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const leftMs = this.#heardAt + this.#silenceMs - performance.now()
      if (leftMs <= 0) this.#options.onSilence()
      else this.#silence = this.#checkIn(leftMs)
    }, ms).unref()
  }
}
