// Gathers the messages of one turn of the event loop into a frame. Turns of the exchange wait in a
// line of their own: one frame of them is on its way at a time, so results hardly wait for them.

import type { Message, TurnMessage } from './messages.ts'

const messagesMax = 256
const charactersMax = 256 * 1024
/** A receiver that is further behind in turns loses them and has to read the store. */
export const turnBytesMax = 8 * 1024 * 1024

export type FrameWriterOptions = {
  /** `written` is called when the frame has left this process. */
  readonly write: (frame: Buffer, written: () => void) => void
  /** What was sent before is no longer held here. */
  readonly onFlush?: () => void
}

export class FrameWriter {
  readonly #options: FrameWriterOptions
  #messages: string[] = []
  #characters = 0
  #isScheduled = false
  #isClosed = false
  #turns: { readonly text: string; readonly bytes: number }[] = []
  /** Of the turns that wait and of those on their way. */
  #turnBytes = 0
  #isTurnOnItsWay = false
  #needsResync = false

  constructor(options: FrameWriterOptions) {
    this.#options = options
  }

  send(message: Message): void {
    if (this.#isClosed) return
    const text = JSON.stringify(message)
    this.#messages.push(text)
    this.#characters += text.length
    if (this.#messages.length >= messagesMax || this.#characters >= charactersMax) this.flush()
    else this.#schedule()
  }

  sendTurn(turn: TurnMessage): void {
    if (this.#isClosed || this.#needsResync) return
    const text = JSON.stringify(['turn', turn] satisfies Message)
    const bytes = Buffer.byteLength(text)
    if (this.#turnBytes + bytes > turnBytesMax) {
      this.#dropTurns()
      return
    }
    this.#turns.push({ text, bytes })
    this.#turnBytes += bytes
    this.#schedule()
  }

  flush(): void {
    if (this.#isClosed) return
    if (this.#messages.length > 0) {
      const frame = frameOf(this.#messages)
      this.#messages = []
      this.#characters = 0
      this.#options.onFlush?.()
      this.#options.write(frame, () => {})
    }
    this.#flushTurns()
  }

  /** Nothing is written any more, and what waits is dropped. */
  close(): void {
    this.#isClosed = true
    this.#messages = []
    this.#turns = []
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.flush()
    })
  }

  #dropTurns(): void {
    for (const { bytes } of this.#turns) this.#turnBytes -= bytes
    this.#turns = []
    this.#needsResync = true
    this.#schedule()
  }

  #flushTurns(): void {
    if (this.#isTurnOnItsWay) return
    const texts: string[] = []
    let bytes = 0
    while (this.#turns.length > texts.length && bytes < charactersMax) {
      const turn = this.#turns[texts.length]!
      texts.push(turn.text)
      bytes += turn.bytes
    }
    this.#turns.splice(0, texts.length)
    if (this.#needsResync) {
      texts.push(JSON.stringify(['resync'] satisfies Message))
      this.#needsResync = false
    }
    if (texts.length > 0) this.#writeTurns(texts, bytes)
  }

  #writeTurns(texts: readonly string[], bytes: number): void {
    this.#isTurnOnItsWay = true
    this.#options.write(frameOf(texts), () => {
      this.#isTurnOnItsWay = false
      this.#turnBytes -= bytes
      if (this.#turns.length > 0 || this.#needsResync) this.#schedule()
    })
  }
}

function frameOf(messages: readonly string[]): Buffer {
  return Buffer.from(`[${messages.join(',')}]`)
}
