// Calls into another thread, which receives them in order. If the thread ends unexpectedly, all of
// its calls fail, and onFatal is called.

import { parentPort, Worker } from 'node:worker_threads'
import { CommitFailure, type CommitOutcome, StoreUnavailable } from './store.ts'

/** The functions of a thread, each with one argument. */
type Callable<Calls> = { readonly [Name in keyof Calls]: (argument: never) => unknown }
type ArgumentOf<Call> = Call extends (argument: infer Argument) => unknown ? Argument : never
type AnswerOf<Call> = Call extends (argument: never) => infer Answer ? Awaited<Answer> : never

type Request = { readonly number: number; readonly name: string; readonly argument: unknown }
type Response =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly failure: Failure }

/** An error as it is sent between threads, without its class. */
type Failure = {
  readonly message: string
  readonly stack: string | undefined
  /** null if the error is not about a commit. */
  readonly outcome: CommitOutcome | null
} & Meaning

/** What an error of the database means, beside those of a commit. */
export type Meaning = {
  /** The caller may try again. */
  readonly isUnavailable: boolean
  /** The disk is full. */
  readonly isFull: boolean
  /** The thread must not be used any more. */
  readonly isFatal: boolean
}

type ThreadOptions = {
  /** As the system shows it, for example in `top -H`. */
  readonly name: 'writer' | 'committer' | 'reader'
  readonly data: unknown
  readonly onFatal: (cause: Error) => void
}

type PendingCall = {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

export class Thread<Calls extends Callable<Calls>> {
  readonly #worker: Worker
  readonly #onFatal: (cause: Error) => void
  readonly #pending = new Map<number, PendingCall>()
  #lastNumber = 0
  #state: 'running' | 'closing' | 'ended' = 'running'

  constructor(file: URL, { name, data, onFatal }: ThreadOptions) {
    this.#onFatal = onFatal
    this.#worker = new Worker(file, { name, workerData: data })
    this.#worker.on('message', (response: Response) => this.#settle(response))
    this.#worker.on('error', (error) => this.#end(asError(error)))
    this.#worker.on('exit', () => this.#end(new Error('A thread of the store has ended.')))
  }

  get isRunning(): boolean {
    return this.#state === 'running'
  }

  call<Name extends keyof Calls & string>(
    name: Name,
    argument: ArgumentOf<Calls[Name]>,
  ): Promise<AnswerOf<Calls[Name]>> {
    if (this.#state !== 'running') {
      return Promise.reject(new StoreUnavailable('The store is closed.'))
    }
    return this.#send<AnswerOf<Calls[Name]>>(name, argument)
  }

  /** Waits for the pending calls, except those that wait themselves, then closes the thread. */
  async close(): Promise<void> {
    const isRunning = this.#state === 'running'
    if (isRunning) this.#state = 'closing'
    try {
      if (isRunning) await this.#send('close', null)
    } finally {
      this.#state = 'ended'
      await this.#worker.terminate()
      // A function that waits for something may not have answered.
      this.#rejectPending(new StoreUnavailable('The store is closed.'))
    }
  }

  #send<Answer>(name: string, argument: unknown): Promise<Answer> {
    this.#lastNumber += 1
    const request: Request = { number: this.#lastNumber, name, argument }
    return new Promise<Answer>((resolve, reject) => {
      // The thread answers with what its function of that name returned.
      const pending = { resolve: resolve as PendingCall['resolve'], reject }
      this.#pending.set(request.number, pending)
      this.#worker.postMessage(request)
    })
  }

  #settle(response: Response): void {
    const pending = this.#pending.get(response.number)
    this.#pending.delete(response.number)
    if ('answer' in response) {
      pending?.resolve(response.answer)
      return
    }
    const error = errorOf(response.failure)
    pending?.reject(error)
    if (response.failure.isFatal) this.#end(error)
  }

  #end(cause: Error): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#rejectPending(new StoreUnavailable(`The store has failed: ${cause.message}`, { cause }))
    this.#onFatal(cause)
  }

  #rejectPending(error: StoreUnavailable): void {
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }
}

/** The side of the thread: answers calls until `close`, which each thread must have. */
export function serve(
  calls: Readonly<Record<string, (argument: never) => unknown>>,
  meaningOf: (error: unknown) => Meaning,
): void {
  const respond = async (number: number, call: () => unknown): Promise<Response> => {
    try {
      return { number, answer: await call() }
    } catch (error) {
      return { number, failure: failureOf(error, meaningOf(error)) }
    }
  }
  parentPort?.on('message', async ({ number, name, argument }: Request) => {
    const response = await respond(number, () => calls[name]?.(argument as never))
    try {
      parentPort?.postMessage(response)
    } catch (error) {
      // An answer that cannot be copied fails its call, not the thread.
      parentPort?.postMessage(await respond(number, () => throwAgain(error)))
    }
  })
}

function throwAgain(error: unknown): never {
  throw error
}

function failureOf(error: unknown, meaning: Meaning): Failure {
  const { message, stack } = asError(error)
  const isCommit = error instanceof CommitFailure
  const outcome = isCommit ? error.outcome : null
  return { ...meaning, message, stack, outcome, isFull: isCommit ? error.isFull : meaning.isFull }
}

function errorOf({ message, stack, outcome, isFull, isUnavailable }: Failure): Error {
  const cause = new Error(message)
  cause.stack = stack ?? message
  if (outcome !== null) return new CommitFailure(message, { outcome, isFull, cause })
  if (isUnavailable) return new StoreUnavailable(message, { isFull, cause })
  return cause
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
