// The pace of refusals. A client that ignores its limit and sends the next request as soon as the
// last one is refused would keep the main thread busy. Beyond so many per second, the refusals of
// an operator or an address are sent late, and its connections are not read until then.

import { Socket } from 'node:net'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import { TokenBuckets } from '../admission/token-buckets.ts'
import { holdInput, releaseInput } from './paced-input.ts'

declare module 'fastify' {
  interface FastifyInstance {
    refusalPace: RefusalPace
  }
}

/** Refusals of one operator or address that are sent at once, at 0.2 to 0.3 ms of a core each. */
export const promptPerSecond = 200
/** Below the time after which a request is logged as slow, and the timeouts of clients. */
export const lateMs = 500
/** Connections with late refusals; those of further connections are sent at once. */
const lateMax = 20_000
/** Connections are served in groups, with other work between: each may have its next requests. */
const groupMs = 10
const groupMin = 5
/** As many groups as fit into the delay, so that none waits for longer than twice the delay. */
const groupsMax = lateMs / groupMs

type Late = {
  readonly dueAt: number
  /** More than one if the requests arrived together. */
  readonly sends: (() => void)[]
  readonly onClose: () => void
}

export class RefusalPace {
  readonly #reportFailure: ReportFailure
  readonly #prompt = new TokenBuckets({ capacity: promptPerSecond, perSecond: promptPerSecond })
  /** In the order in which they are due. */
  readonly #late = new Map<Socket, Late>()
  #timer: NodeJS.Timeout | null = null
  #isClosing = false

  constructor(reportFailure: ReportFailure) {
    this.#reportFailure = reportFailure
  }

  /** The number of connections with late refusals. */
  get size(): number {
    return this.#late.size
  }

  /**
   * Calls `send` now, or later if the operator or address has been refused too often; never if
   * the connection closes before. A request that came without a connection is never late.
   */
  answer(who: string, socket: unknown, send: () => void): void {
    const late = socket instanceof Socket ? this.#late.get(socket) : undefined
    if (late !== undefined) late.sends.push(send)
    else if (!(socket instanceof Socket) || this.#isPrompt(who)) send()
    else this.#delay(socket, send)
  }

  /** Sends all late refusals, and no further ones late. */
  close(): void {
    this.#isClosing = true
    for (const [socket, late] of this.#late) this.#send(socket, late)
  }

  #isPrompt(who: string): boolean {
    if (this.#isClosing || this.#late.size >= lateMax) return true
    return this.#prompt.consume(who, performance.now()).isAllowed
  }

  #delay(socket: Socket, send: () => void): void {
    const onClose = () => {
      this.#late.delete(socket)
    }
    socket.once('close', onClose)
    holdInput(socket)
    this.#late.set(socket, { dueAt: performance.now() + lateMs, sends: [send], onClose })
    this.#timer ??= this.#after(lateMs)
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = null
      this.#sendGroup()
    }, ms).unref()
  }

  #sendGroup(): void {
    const now = performance.now()
    let left = Math.max(groupMin, Math.ceil(this.#late.size / groupsMax))
    for (const [socket, late] of this.#late) {
      if (left === 0 || late.dueAt > now) {
        this.#timer ??= this.#after(Math.max(groupMs, late.dueAt - now))
        return
      }
      left -= 1
      this.#send(socket, late)
    }
  }

  #send(socket: Socket, { sends, onClose }: Late): void {
    this.#late.delete(socket)
    socket.off('close', onClose)
    for (const send of sends) this.#try(send, socket)
    releaseInput(socket)
  }

  // Nothing else calls this code, so it catches its own failures.
  #try(send: () => void, socket: Socket): void {
    try {
      send()
    } catch (error) {
      this.#reportFailure('rest', 'late refusal failed', { error })
      socket.destroy()
    }
  }
}
