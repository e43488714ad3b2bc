// The load, in a process of its own: so many connections, each of which sends its next request when
// the last was answered. It shares the cores with the server that it measures, so it does as little
// as it can: ready bytes out, and of an answer only its status and its length.

import { connect, type Socket } from 'node:net'
import type { LoadTarget } from './load-target.ts'
import { orderRequests, type RequestShape, stamp } from './order-requests.ts'

export type LoadJob = RequestShape & {
  readonly target: LoadTarget
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
}

export type LoadResult = {
  /** Answered inside the window; warm-up and all is what the server was given. */
  readonly answered: number
  readonly sent: number
  /** Orders. */
  readonly perSecond: number
  /** Milliseconds a request. */
  readonly p50: number
  readonly p99: number
  readonly p999: number
  /** Of the bodies, on average. */
  readonly answerBytes: number
  readonly requestBytes: number
  /** What the load itself cost, in microseconds of processor time a request. */
  readonly loadMicros: number
}

export type LoadAnswer = { readonly result: LoadResult } | { readonly fault: string }

const perSecondMax = 200_000
const readBufferBytes = 64 * 1024
const headEnd = '\r\n\r\n'

class Load implements LineOwner {
  readonly #job: LoadJob
  readonly #requests: readonly Buffer[]
  readonly #latencies: Float32Array
  readonly #over = Promise.withResolvers<void>()
  #next = 0
  #serial = Date.now() * 100
  #windowStart = 0
  #windowEnd = 0
  #waiting = 0
  #sent = 0
  #answered = 0
  #bodyBytes = 0

  constructor(job: LoadJob) {
    this.#job = job
    this.#requests = orderRequests(job.target, job)
    this.#latencies = new Float32Array(Math.ceil((job.measureMs / 1000) * perSecondMax))
  }

  async run(): Promise<LoadResult> {
    const { connections, warmUpMs, measureMs, target } = this.#job
    const lines = Array.from({ length: connections }, () => new Line(target.port, this))
    try {
      await Promise.race([Promise.all(lines.map(({ opened }) => opened)), this.#over.promise])
      const before = process.cpuUsage()
      this.#windowStart = performance.now() + warmUpMs
      this.#windowEnd = this.#windowStart + measureMs
      for (const line of lines) this.#send(line)
      await this.#over.promise
      const { user, system } = process.cpuUsage(before)
      return { ...this.#result(), loadMicros: (user + system) / this.#sent }
    } finally {
      for (const line of lines) line.close()
    }
  }

  /** The only status that it may meet. */
  get expected(): number {
    return (this.#job.batch ?? 1) > 1 ? 200 : 201
  }

  /** An answer has come whole. */
  done(line: Line, bodyBytes: number): void {
    const now = performance.now()
    if (now >= this.#windowStart && now < this.#windowEnd) {
      this.#latencies[this.#answered] = now - line.sentAt
      this.#answered += 1
      this.#bodyBytes += bodyBytes
    }
    this.#waiting -= 1
    if (now < this.#windowEnd) this.#send(line, now)
    else if (this.#waiting === 0) this.#over.resolve()
  }

  fail(fault: Error): void {
    this.#over.reject(fault)
  }

  #send(line: Line, now = performance.now()): void {
    const request = this.#requests[this.#next]!
    this.#next = (this.#next + 1) % this.#requests.length
    if (this.#job.hasTransactionIds) stamp(request, this.#serial++)
    this.#waiting += 1
    this.#sent += 1
    line.send(request, now)
  }

  #result(): Omit<LoadResult, 'loadMicros'> {
    const sorted = this.#latencies.subarray(0, this.#answered).sort()
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
    const bytes = this.#requests.reduce((sum, { length }) => sum + length, 0)
    return {
      answered: this.#answered,
      sent: this.#sent,
      perSecond: (this.#answered / this.#job.measureMs) * 1000 * (this.#job.batch ?? 1),
      p50: at(0.5),
      p99: at(0.99),
      p999: at(0.999),
      answerBytes: this.#bodyBytes / this.#answered,
      requestBytes: bytes / this.#requests.length,
    }
  }
}

/** Whom a connection tells. */
export type LineOwner = {
  /** The status of a good answer. */
  readonly expected: number
  done(line: Line, bodyBytes: number): void
  fail(fault: Error): void
}

/** One connection. Its read buffer is used again and again, so nothing of it is kept. */
export class Line {
  readonly opened: Promise<void>
  sentAt = 0
  readonly #load: LineOwner
  readonly #socket: Socket
  /** Of an answer that has begun: the bytes of its body, and how many are still to come. */
  #bodyBytes = 0
  #left = 0
  /** A head that came in pieces, which is rare. */
  #held = ''
  #isClosing = false

  constructor(port: number, load: LineOwner) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.opened = promise
    this.#load = load
    const buffer = Buffer.allocUnsafe(readBufferBytes)
    const callback = (length: number) => this.#read(buffer, length)
    this.#socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } }, resolve)
    this.#socket.setNoDelay(true)
    this.#socket.on('error', (fault) => load.fail(fault))
    this.#socket.on('close', () => {
      if (!this.#isClosing) load.fail(new Error('The server closed a connection.'))
    })
  }

  send(request: Buffer, now: number): void {
    this.sentAt = now
    this.#socket.write(request)
  }

  close(): void {
    this.#isClosing = true
    this.#socket.destroy()
  }

  #read(buffer: Buffer, length: number): boolean {
    if (this.#left > 0) this.#left -= length
    else this.#readHead(buffer, length)
    if (this.#left === 0 && this.#held === '') this.#load.done(this, this.#bodyBytes)
    return !this.#isClosing
  }

  #readHead(buffer: Buffer, length: number): void {
    const text = this.#held + buffer.toString('latin1', 0, length)
    const end = text.indexOf(headEnd)
    if (end < 0) {
      this.#held = text
      return
    }
    this.#held = ''
    const head = text.slice(0, end)
    const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN)
    if (Number(head.slice(9, 12)) !== this.#load.expected || Number.isNaN(bodyBytes)) {
      this.#load.fail(new Error(`Not an answer to an order: ${text.slice(0, 1000)}`))
      return
    }
    this.#bodyBytes = bodyBytes
    this.#left = bodyBytes - (text.length - end - headEnd.length)
  }
}

function answer(message: LoadAnswer): void {
  process.send?.(message, undefined, undefined, () => process.disconnect?.())
}

if (import.meta.main) {
  process.once('message', async (job: LoadJob) => {
    try {
      answer({ result: await new Load(job).run() })
    } catch (fault) {
      answer({ fault: fault instanceof Error ? fault.message : String(fault) })
    }
  })
}
