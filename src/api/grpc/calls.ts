// What is the same for every call: reading its message, who asks and how often, refusals and
// faults, measures, and the end when the service stops.

import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type Server,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js'
import type { OperatorRow } from '../../store/store.ts'
import { ConnectionLimits, usualConnectionLimits } from '../admission/connection-limits.ts'
import { Refusal } from '../errors.ts'
import { closing, internal, refusalOfFault } from '../faults.ts'
import type { Scope } from '../schemas/operator.ts'
import type { GrpcContext } from './context.ts'
import { type Access, addressOf, type Caller, GrpcAdmission } from './grpc-admission.ts'
import { OpenCalls } from './open-calls.ts'
import { failureOf } from './status.ts'

/** As in REST. The transport refuses what is far larger by itself, and says less. */
const messageBytesMax = 256 * 1024

/** A method of a service, as it is generated. */
export type Method<Request, Answer> = {
  readonly path: string
  readonly requestDeserialize: (bytes: Buffer) => Request
  readonly responseSerialize: (answer: Answer) => Buffer
}

/** An answer that was given before, to the same request. */
export class Replayed<Answer> {
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }
}

type Answered<Answer> = Answer | Replayed<Answer> | Refusal

/** A call that stays open. */
export type Stream = {
  /** What it was ended with by us; null where the client has left, or is still there. */
  readonly end: Refusal | 'OK' | null
  /** Ends it in good order: what was taken is answered first. */
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
    this.admission = new GrpcAdmission(context.admission)
    this.#openCalls = new OpenCalls(context.metrics)
  }

  /** For whoever sends an operator's key. */
  operator<Request, Answer>(
    method: Method<Request, Answer>,
    access: Access,
    handle: (request: Request, operator: OperatorRow) => Promise<Answered<Answer>>,
  ): void {
    this.#unary(method, async (request, call) => {
      const caller = this.admission.admit(call, access)
      return caller instanceof Refusal ? caller : handle(request, caller)
    })
  }

  /** For everybody. */
  public<Request, Answer>(
    method: Method<Request, Answer>,
    handle: (request: Request) => Promise<Answered<Answer>>,
  ): void {
    this.#unary(
      method,
      async (request, call) => this.admission.admitPublic(call) ?? handle(request),
    )
  }

  /** A stream of answers, for everybody. */
  publicStream<Request, Answer>(
    method: Method<Request, Answer>,
    start: (call: ServerWritableStream<unknown, Answer>, request: Request) => Stream,
  ): void {
    const { path, responseSerialize } = method
    const handle: handleServerStreamingCall<Request | Refusal, Answer> = (call) => {
      const { request } = call
      this.#attend(path, call, () => {
        if (request instanceof Refusal) return request
        const refusal = this.admission.admitPublic(call) ?? this.#enter(call, null)
        return refusal ?? start(call, request)
      })
    }
    this.#server.register(path, handle, responseSerialize, readerOf(method), 'serverStream')
  }

  /** A stream both ways, for whoever sends an operator's key. */
  duplex<Request, Answer>(
    method: Method<Request, Answer>,
    scope: Scope,
    start: (call: ServerDuplexStream<Request | Refusal, Answer>) => Stream,
  ): void {
    const { path, responseSerialize } = method
    const handle: handleBidiStreamingCall<Request | Refusal, Answer> = (call) => {
      this.#attend(path, call, () => {
        const caller = this.admission.callerOf(call, scope)
        if (caller instanceof Refusal) return caller
        return this.#enter(call, caller.id) ?? start(call)
      })
    }
    this.#server.register(path, handle, responseSerialize, readerOf(method), 'bidi')
  }

  /** Takes nothing new, and waits until what was taken is answered. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const stream of this.#streams) stream.close(closing)
    await this.#openCalls.idle()
  }

  /** Of what went wrong while a call was carried out. */
  refusalOf(error: unknown, path: string): Refusal {
    const refusal = refusalOfFault(error)
    if (refusal === internal) this.#context.log.error('call failed', { route: path, error })
    return refusal
  }

  #unary<Request, Answer>(
    method: Method<Request, Answer>,
    handle: (request: Request, call: Caller) => Promise<Answered<Answer>>,
  ): void {
    const { path, responseSerialize } = method
    const answer = async (call: ServerUnaryCall<Request | Refusal, Answer>) => {
      if (this.#isClosing) return closing
      if (call.request instanceof Refusal) return call.request
      try {
        return await handle(call.request, call)
      } catch (error) {
        return this.refusalOf(error, path)
      }
    }
    const run: handleUnaryCall<Request | Refusal, Answer> = async (call, callback) => {
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
    this.#server.register(path, run, responseSerialize, readerOf(method), 'unary')
  }

  /** Looks after a call that stays open, until it has ended. */
  #attend(path: string, call: StreamCall, start: () => Stream | Refusal): void {
    const done = this.#openCalls.begin(path)
    const stream = this.#isClosing ? closing : start()
    if (stream instanceof Refusal) {
      endWith(call, stream)
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

  /** Counts it among those that stay open, or says why not. */
  #enter(call: StreamCall, operatorId: string | null): Refusal | null {
    const holder = { address: addressOf(call), operatorId }
    const refusal = this.#limits.enter(holder)
    if (refusal === null) call.once('close', () => this.#limits.leave(holder))
    return refusal
  }
}

/** What was sent so far arrives first. */
export function endWith(call: StreamCall, refusal: Refusal): void {
  call.emit('error', failureOf(refusal))
}

// A message that cannot be read is the caller's fault; the library would call it ours.
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
