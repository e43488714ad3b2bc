// What every call shares: decoding its message, admission, refusals and faults, metrics, and the
// end of calls when the service stops.

import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type Server,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import type { OperatorRow } from '../../store/store.ts'
import { ConnectionLimits, usualConnectionLimits } from '../admission/connection-limits.ts'
import { Refusal } from '../errors.ts'
import { closing, isOwnFault, presentStored, refusalOfFault } from '../faults.ts'
import type { Scope } from '../schemas/operator.ts'
import type { GrpcContext } from './context.ts'
import { type Access, GrpcAdmission, type IncomingCall } from './grpc-admission.ts'
import { OpenCalls } from './open-calls.ts'
import { failureOf } from './status.ts'

/** As in REST. The transport refuses much larger messages itself, with a less helpful error. */
const messageBytesMax = 256 * 1024

/** A generated method of a service. */
export type Method<Request, Answer> = {
  readonly path: string
  readonly requestDeserialize: (bytes: Buffer) => Request
  readonly responseSerialize: (answer: Answer) => Buffer
}

/** The answer to a request that was carried out before. */
export class Replayed<Answer> {
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }
}

type Answered<Answer> = Answer | Replayed<Answer> | Refusal

/** A call that stays open. */
export type Stream = {
  /** How the service ended the stream; null if the client ended it, or it is still open. */
  readonly end: Refusal | 'OK' | null
  /** Ends the stream after all accepted requests are answered. */
  close(refusal: Refusal): void
}

type StreamCall = ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>

const malformed = new Refusal('VALIDATION_ERROR', 'The message is malformed.')
const tooLarge = new Refusal('PAYLOAD_TOO_LARGE', 'The message must be at most 256 KiB.')

export class Calls {
  readonly admission: GrpcAdmission
  readonly #context: GrpcContext
  readonly #server: Server
  readonly #limits = new ConnectionLimits(usualConnectionLimits)
  readonly #streams = new Set<Stream>()
  readonly #openCalls: OpenCalls
  #isClosing = false

  constructor(context: GrpcContext, server: Server) {
    this.#context = context
    this.#server = server
    this.admission = new GrpcAdmission(context.admission, context.addresses)
    this.#openCalls = new OpenCalls(context.metrics)
  }

  /** A call that needs an API key. */
  operator<Request, Answer>(
    method: Method<Request, Answer>,
    access: Access,
    handle: (
      request: Request,
      operator: OperatorRow,
      call: IncomingCall,
    ) => Promise<Answered<Answer>>,
  ): void {
    const isCommand = access.scope === 'trade'
    this.#unary(method, isCommand, async (request, call) => {
      const operator = this.admission.admit(call, access)
      return operator instanceof Refusal ? operator : handle(request, operator, call)
    })
  }

  /** A call that needs no key. */
  public<Request, Answer>(
    method: Method<Request, Answer>,
    handle: (request: Request) => Promise<Answered<Answer>>,
  ): void {
    this.#unary(
      method,
      false,
      async (request, call) => this.admission.admitPublic(call) ?? handle(request),
    )
  }

  /** A stream of answers that needs no key. */
  publicStream<Request, Answer>(
    method: Method<Request, Answer>,
    start: (call: ServerWritableStream<unknown, Answer>, request: Request) => Stream,
  ): void {
    const { path, responseSerialize } = method
    const handle: handleServerStreamingCall<Request | Refusal, Answer> = (call) => {
      const { request } = call
      this.#track(path, call, () => {
        if (request instanceof Refusal) return request
        const refusal = this.admission.admitPublic(call) ?? this.#enter(call, null)
        return refusal ?? start(call, request)
      })
    }
    this.#server.register(path, handle, responseSerialize, readerOf(method), 'serverStream')
  }

  /** A bidirectional stream that needs an API key. */
  duplex<Request, Answer>(
    method: Method<Request, Answer>,
    scope: Scope,
    start: (call: ServerDuplexStream<Request | Refusal, Answer>) => Stream,
  ): void {
    const { path, responseSerialize } = method
    const handle: handleBidiStreamingCall<Request | Refusal, Answer> = (call) => {
      this.#track(path, call, () => {
        const operator = this.admission.operatorOf(call, scope)
        if (operator instanceof Refusal) return operator
        return this.#enter(call, operator.id) ?? start(call)
      })
    }
    this.#server.register(path, handle, responseSerialize, readerOf(method), 'bidi')
  }

  /** Accepts no new calls, and waits until all accepted calls are answered. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const stream of this.#streams) stream.close(closing)
    await this.#openCalls.idle()
  }

  /** The refusal for an error that was thrown in a call. */
  refusalOf(error: unknown, path: string): Refusal {
    const refusal = refusalOfFault(error)
    if (isOwnFault(error, refusal)) {
      this.#context.reportFailure('grpc', 'call failed', { route: path, error })
    }
    return refusal
  }

  #unary<Request, Answer>(
    method: Method<Request, Answer>,
    isCommand: boolean,
    handle: (request: Request, call: IncomingCall) => Promise<Answered<Answer>>,
  ): void {
    const { path } = method
    const answer = async (call: ServerUnaryCall<Request | Refusal, Buffer>) => {
      if (this.#isClosing) return closing
      if (call.request instanceof Refusal) return call.request
      try {
        return encoded(method, isCommand, await handle(call.request, call))
      } catch (error) {
        return this.refusalOf(error, path)
      }
    }
    const run = async (
      call: ServerUnaryCall<Request | Refusal, Buffer>,
      callback: sendUnaryData<Buffer>,
    ) => {
      const done = this.#openCalls.begin(path)
      const answered = await answer(call)
      if (answered instanceof Refusal) {
        const failure = failureOf(answered)
        callback(failure)
        done(failure.code)
        return
      }
      const isReplay = answered instanceof Replayed
      if (isReplay) call.sendMetadata(replayed())
      callback(null, isReplay ? answered.answer : answered)
      done(status.OK)
    }
    const guarded: handleUnaryCall<Request | Refusal, Buffer> = (call, callback) => {
      run(call, callback).catch((error: unknown) =>
        callback(failureOf(this.refusalOf(error, path))),
      )
    }
    this.#server.register(path, guarded, asIs, readerOf(method), 'unary')
  }

  /** Starts a stream and keeps track of it until it has ended. */
  #track(path: string, call: StreamCall, start: () => Stream | Refusal): void {
    const done = this.#openCalls.begin(path)
    const stream = this.#isClosing ? closing : this.#started(path, start)
    if (stream instanceof Refusal) {
      endCallWith(call, stream)
      done(failureOf(stream).code)
      return
    }
    this.#streams.add(stream)
    call.once('close', () => {
      this.#streams.delete(stream)
      const { end } = stream
      if (end === null) done(status.CANCELLED)
      else done(end instanceof Refusal ? failureOf(end).code : status.OK)
    })
  }

  #started(path: string, start: () => Stream | Refusal): Stream | Refusal {
    try {
      return start()
    } catch (error) {
      return this.refusalOf(error, path)
    }
  }

  /** Counts an open stream, or refuses it. */
  #enter(call: StreamCall, operatorId: string | null): Refusal | null {
    const holder = { address: this.admission.addressOf(call), operatorId }
    const refusal = this.#limits.enter(holder)
    if (refusal === null) call.once('close', () => this.#limits.leave(holder))
    return refusal
  }
}

/** Messages that were sent before arrive first. */
export function endCallWith(call: StreamCall, refusal: Refusal): void {
  call.emit('error', failureOf(refusal))
}

// Encoded here and not by the library, which would answer a failure without an error code.
function encoded<Answer>(
  { responseSerialize }: Pick<Method<never, Answer>, 'responseSerialize'>,
  isCommand: boolean,
  answered: Answered<Answer>,
): Answered<Buffer> {
  if (answered instanceof Refusal) return answered
  const encode = () => {
    if (!(answered instanceof Replayed)) return responseSerialize(answered)
    return new Replayed(responseSerialize(answered.answer))
  }
  return isCommand ? presentStored(encode) : encode()
}

function asIs(bytes: Buffer): Buffer {
  return bytes
}

// The library would report a malformed message as an internal error; it is the caller's error.
function readerOf<Request>({
  requestDeserialize,
}: Pick<Method<Request, never>, 'requestDeserialize'>) {
  return (bytes: Buffer): Request | Refusal => {
    if (bytes.length > messageBytesMax) return tooLarge
    try {
      return requestDeserialize(bytes)
    } catch {
      return malformed
    }
  }
}

function replayed(): Metadata {
  const metadata = new Metadata()
  metadata.set('idempotent-replayed', 'true')
  return metadata
}
