// Calls into another thread, answered in the order in which they were made. If the thread ends by
// itself, every call in it fails, and whoever opened it is told.

import { parentPort, Worker } from 'node:worker_threads'
import { CommitFailure, type CommitOutcome, StoreUnavailable } from '../store.ts'
import { isBusy, isFatal, isFull } from './failures.ts'

/** What a thread can be asked: each function with one argument. */
type Callable<Calls> = { readonly [Name in keyof Calls]: (ask: never) => unknown }
type RequestOf<Call> = Call extends (ask: infer Ask) => unknown ? Ask : never
type AnswerOf<Call> = Call extends (ask: never) => infer Answer ? Answer : never

type Request = { readonly number: number; readonly name: string; readonly ask: unknown }
type Response =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly failure: Failure }

/** An error as it crosses from one thread to another, which classes do not. */
type Failure = {
  readonly message: string
  readonly stack: string | undefined
  /** null where it is not about a commit. */
  readonly outcome: CommitOutcome | null
  readonly isFull: boolean
  readonly isBusy: boolean
  readonly isFatal: boolean
}

type QueuedCommand = {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

export class Thread<Calls extends Callable<Calls>> {
  readonly #worker: Worker
  readonly #onFatal: (cause: Error) => void
  readonly #waiting = new Map<number, QueuedCommand>()
  #lastNumber = 0
  #state: 'running' | 'closing' | 'ended' = 'running'

  constructor(file: URL, { data, onFatal }: { data: unknown; onFatal: (cause: Error) => void }) {
    this.#onFatal = onFatal
    this.#worker = new Worker(file, { workerData: data })
    this.#worker.on('message', (response: Response) => this.#settle(response))
    this.#worker.on('error', (error) => this.#end(asError(error)))
    this.#worker.on('exit', () => this.#end(new Error('A thread of the store has ended.')))
  }

  get isRunning(): boolean {
    return this.#state === 'running'
  }

  call<Name extends keyof Calls & string>(
    name: Name,
    ask: RequestOf<Calls[Name]>,
  ): Promise<AnswerOf<Calls[Name]>> {
    if (this.#state !== 'running') {
      return Promise.reject(new StoreUnavailable('The store is closed.'))
    }
    return this.#send<AnswerOf<Calls[Name]>>(name, ask)
  }

  /** Waits for the calls before it, then for what the thread does last. */
  async close(): Promise<void> {
    const isRunning = this.#state === 'running'
    if (isRunning) this.#state = 'closing'
    try {
      if (isRunning) await this.#send('close', null)
    } finally {
      this.#state = 'ended'
      await this.#worker.terminate()
    }
  }

  #send<Answer>(name: string, ask: unknown): Promise<Answer> {
    this.#lastNumber += 1
    const request: Request = { number: this.#lastNumber, name, ask }
    return new Promise<Answer>((resolve, reject) => {
      // The thread answers with what its function of that name returned.
      const waiting = { resolve: resolve as QueuedCommand['resolve'], reject }
      this.#waiting.set(request.number, waiting)
      this.#worker.postMessage(request)
    })
  }

  #settle(response: Response): void {
    const waiting = this.#waiting.get(response.number)
    this.#waiting.delete(response.number)
    if ('answer' in response) {
      waiting?.resolve(response.answer)
      return
    }
    const error = errorOf(response.failure)
    waiting?.reject(error)
    if (response.failure.isFatal) this.#end(error)
  }

  #end(cause: Error): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    for (const { reject } of this.#waiting.values()) {
      reject(new StoreUnavailable('The store has failed.', { cause }))
    }
    this.#waiting.clear()
    this.#onFatal(cause)
  }
}

/** The other side: answers calls until `close`, which a thread must offer. */
export function serve(calls: Readonly<Record<string, (ask: never) => unknown>>): void {
  parentPort?.on('message', ({ number, name, ask }: Request) => {
    parentPort?.postMessage(respond(number, () => calls[name]?.(ask as never)))
  })
}

function respond(number: number, call: () => unknown): Response {
  try {
    return { number, answer: call() }
  } catch (error) {
    const { message, stack } = asError(error)
    const isCommit = error instanceof CommitFailure
    const isUnknown = isCommit && error.outcome === 'unknown'
    const failure: Failure = {
      message,
      stack,
      outcome: isCommit ? error.outcome : null,
      isFull: isCommit ? error.isFull : isFull(error),
      isBusy: isBusy(error),
      isFatal: isUnknown || isFatal(error),
    }
    return { number, failure }
  }
}

function errorOf({ message, stack, outcome, isFull, isBusy, isFatal }: Failure): Error {
  const cause = new Error(message)
  cause.stack = stack ?? message
  if (outcome !== null) return new CommitFailure(message, { outcome, isFull, cause })
  if (isFull || isBusy || isFatal) return new StoreUnavailable(message, { cause })
  return cause
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
