// Calls between the primary process and a front end, both ways, over the channel that the system
// gives a process and its child. Everything rare goes here; commands and turns go over the link.

import { CommitFailure, RegistryBehind, StoreUnavailable } from '../../store/store.ts'

/** The functions of one side. */
export type Callable<Calls> = { readonly [Name in keyof Calls]: (...args: never[]) => unknown }
type Answer<Call> = Call extends (...args: never[]) => infer Result ? Awaited<Result> : never

/** How a side sends and receives messages; both keep their order. */
export type Wire = {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

type Message =
  | {
      readonly kind: 'call'
      readonly number: number
      readonly name: string
      readonly args: readonly unknown[]
    }
  | { readonly kind: 'answer'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly number: number; readonly failure: Failure }

/** An error as it is sent, without its class. */
type Failure =
  | { readonly kind: 'BEHIND'; readonly decidedOn: number; readonly version: number }
  | { readonly kind: 'COMMIT'; readonly message: string; readonly isUnknown: boolean }
  | { readonly kind: 'OTHER'; readonly message: string }

type Pending = {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
  readonly deadline: NodeJS.Timeout
}

const callMsMax = 5_000
const pendingMax = 10_000

/** There was no answer in time: the call may have been executed. */
export class NoAnswer extends StoreUnavailable {}

export class Channel<Theirs extends Callable<Theirs>> {
  readonly #wire: Wire
  readonly #pending = new Map<number, Pending>()
  #lastNumber = 0

  constructor(wire: Wire, own: Readonly<Record<string, (...args: never[]) => unknown>>) {
    this.#wire = wire
    wire.onMessage((message) => this.#read(message as Message, own))
  }

  /** Throws StoreUnavailable, or what the other side has thrown. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Answer<Theirs[Name]>> {
    if (this.#pending.size >= pendingMax) {
      return Promise.reject(new StoreUnavailable('Too many calls wait for another process.'))
    }
    this.#lastNumber += 1
    const number = this.#lastNumber
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.#pending.delete(number)
        reject(new NoAnswer(`The other process did not answer within ${callMsMax} ms.`))
      }, callMsMax)
      deadline.unref()
      this.#pending.set(number, { resolve, reject, deadline })
      this.#send({ kind: 'call', number, name, args })
    })
  }

  #send(message: Message): void {
    this.#wire.send(message)
  }

  #read(message: Message, own: Readonly<Record<string, (...args: never[]) => unknown>>): void {
    if (message.kind === 'call') void this.#execute(message, own[message.name])
    else this.#settle(message)
  }

  async #execute(
    { number, name, args }: Message & { kind: 'call' },
    call: ((...args: never[]) => unknown) | undefined,
  ): Promise<void> {
    try {
      if (call === undefined) throw new Error(`there is no call ${name}`)
      // The other side runs the same version of this program.
      const value = await call(...(args as never[]))
      this.#send({ kind: 'answer', number, value })
    } catch (error) {
      this.#send({ kind: 'failure', number, failure: failureOf(error) })
    }
  }

  #settle(message: Message & { kind: 'answer' | 'failure' }): void {
    const pending = this.#pending.get(message.number)
    if (pending === undefined) return
    this.#pending.delete(message.number)
    clearTimeout(pending.deadline)
    if (message.kind === 'answer') pending.resolve(message.value as never)
    else pending.reject(errorOf(message.failure))
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof RegistryBehind) {
    const { decidedOn, version } = error
    return { kind: 'BEHIND', decidedOn, version }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof CommitFailure)) return { kind: 'OTHER', message }
  return { kind: 'COMMIT', message, isUnknown: error.outcome === 'unknown' }
}

function errorOf(failure: Failure): Error {
  if (failure.kind === 'BEHIND') return new RegistryBehind(failure.decidedOn, failure.version)
  if (failure.kind === 'OTHER') return new StoreUnavailable(failure.message)
  const outcome = failure.isUnknown ? 'unknown' : 'aborted'
  return new CommitFailure(failure.message, { outcome })
}
