// Shows progress on stderr: a bar on a terminal, otherwise a line every few seconds.

import type { WriteStream } from 'node:tty'

const barLength = 30
const lineEveryMs = 5_000

export class ProgressBar {
  readonly #stream: WriteStream
  #shownAt = performance.now()

  constructor(stream: WriteStream = process.stderr) {
    this.#stream = stream
  }

  /** The part is from 0 to 1. */
  show(part: number, what: string): void {
    const percent = `${Math.floor(part * 100)} %`
    if (this.#stream.isTTY) {
      const filled = '#'.repeat(Math.round(part * barLength)).padEnd(barLength, '.')
      this.#stream.write(`\r[${filled}] ${percent.padStart(5)} ${what}\x1b[K`)
    } else if (performance.now() - this.#shownAt > lineEveryMs) {
      this.#shownAt = performance.now()
      this.#stream.write(`${percent} ${what}\n`)
    }
  }

  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[K')
  }
}
