// Keeps the front ends of this machine running: starts them, starts them again if they end, and
// stops them.

import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../ops/log.ts'
import type {
  FrontEndCalls,
  FrontEndStart,
  LifecycleCalls,
  Listening,
  PrimaryCalls,
} from './calls.ts'
import { Channel } from './channel.ts'

export type SupervisorOptions = {
  readonly count: number
  /** What a front end can call, besides its own start. */
  readonly callsOf: (frontEnd: FrontEnd) => Partial<Omit<PrimaryCalls, keyof LifecycleCalls>>
  /** The logical time. */
  readonly now: () => number
  readonly onEnd: (frontEnd: FrontEnd) => void
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

export type FrontEnd = {
  /** Its number, from 1; a process that replaces another has the same. */
  readonly number: number
  readonly nodeId: string
  readonly incarnation: string
  readonly channel: Channel<FrontEndCalls>
}

type Running = FrontEnd & { readonly worker: Worker; readonly startedAt: number }

/** A front end could not start; the message is the line to print. */
export class FrontEndFailed extends Error {
  override readonly name = 'FrontEndFailed'
  /** The exit code; null if the front end has not given one. */
  readonly code: number | null

  constructor(line: string, code: number | null) {
    super(line)
    this.code = code
  }
}

const program = fileURLToPath(new URL('../../main.ts', import.meta.url))
const restartMs = { least: 100, most: 5_000 } as const
/** A front end that ran for so long is started again without delay. */
const steadyMs = 10_000
/** Less than the process has for its own stop. */
const stopMsMax = 8_000

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #running = new Map<number, Running>()
  readonly #restartMs = new Map<number, number>()
  #listening: Listening | null = null
  #isStopping = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({ exec: program, args: [] })
  }

  /** Resolves when all of them listen, at the ports of the first. Throws FrontEndFailed. */
  async start(): Promise<Listening> {
    const listening = await this.#startFirst(1)
    this.#listening = listening
    const more = Array.from({ length: this.#options.count - 1 }, (_, index) => index + 2)
    await Promise.all(more.map((number) => this.#startFirst(number)))
    return listening
  }

  /** They answer what they have read; those that do not end in time are killed. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const ended = [...this.#running.values()].map(async ({ channel, worker }) => {
      const exit = new Promise((resolve) => worker.once('exit', resolve))
      channel.call('stop').catch(() => undefined)
      const deadline = setTimeout(() => worker.process.kill('SIGKILL'), stopMsMax)
      await exit
      clearTimeout(deadline)
    })
    await Promise.all(ended)
  }

  #startFirst(number: number): Promise<Listening> {
    return new Promise((resolve, reject) => {
      const fail = (line: string, code: number | null) => reject(new FrontEndFailed(line, code))
      const worker = this.#start(number, { onListening: resolve, onFailed: fail })
      worker.once('exit', () => fail('A front end has ended while starting.', null))
    })
  }

  #start(number: number, events: Omit<LifecycleCalls, 'begin'>): Worker {
    const { callsOf, now } = this.#options
    const worker = cluster.fork()
    // A message that cannot be sent is lost with its process, which is noticed by its end.
    worker.on('error', () => {})
    const node = { number, nodeId: randomUUID(), incarnation: randomUUID() }
    const listening = this.#listening
    const begin = (): FrontEndStart => ({ ...node, now: now(), listening })
    const own: Record<string, (...args: never[]) => unknown> = { begin, ...events }
    const wire = {
      send: (message: unknown) => {
        if (worker.isConnected()) worker.send(message as object)
      },
      onMessage: (listener: (message: unknown) => void) => worker.on('message', listener),
    }
    const running = { ...node, worker, channel: new Channel<FrontEndCalls>(wire, own) }
    Object.assign(own, callsOf(running))
    this.#running.set(number, { ...running, startedAt: performance.now() })
    worker.once('exit', (code, signal) => this.#onExit(number, code, signal))
    return worker
  }

  #onExit(number: number, code: number | null, signal: string | null): void {
    const { log, onEnd } = this.#options
    const ended = this.#running.get(number)!
    this.#running.delete(number)
    onEnd(ended)
    if (this.#isStopping) return
    const ranMs = performance.now() - ended.startedAt
    const delayMs = ranMs >= steadyMs ? 0 : (this.#restartMs.get(number) ?? restartMs.least)
    this.#restartMs.set(number, Math.min(restartMs.most, Math.max(restartMs.least, 2 * delayMs)))
    log.warn('front end ended, it is started again', { number, code, signal, delayMs })
    setTimeout(() => this.#startAgain(number), delayMs).unref()
  }

  #startAgain(number: number): void {
    if (this.#isStopping) return
    const { log } = this.#options
    this.#start(number, {
      onListening: () => log.info('front end started', { number }),
      onFailed: (line) => log.error('front end cannot start', { number, reason: line }),
    })
  }
}
