// The fast path: answers plain requests to the busiest routes without the framework, which would be
// most of the work. Admission, validation and handlers are the same. A request that would be
// refused before its handler runs is handed to the HTTP server, which answers it.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { assert } from '../../../core/assert.ts'
import type { KeyRow, OperatorRow } from '../../../store/store.ts'
import type { BucketName } from '../../admission/admission.ts'
import type { ClientAddresses } from '../../admission/client-address.ts'
import { Refusal } from '../../errors.ts'
import { isOwnFault } from '../../faults.ts'
import { idempotencyKeyOf, withTransactionId } from '../../http/idempotency-key.ts'
import { paceInput } from '../../http/paced-input.ts'
import type { RefusalPace } from '../../http/refusal-pace.ts'
import { requestIdOf } from '../../http/request-id.ts'
import {
  type Encoded,
  encodeAnswer,
  firstHeaders,
  type RouteAnswer,
  Streamed,
} from '../../http/response.ts'
import { traceOf } from '../../http/trace.ts'
import type { Scope } from '../../schemas/operator.ts'
import type { Context } from '../context.ts'
import { refusalOfError } from '../faults.ts'
import type { RecordRequest } from '../request-metrics.ts'
import { type ChargedCommand, costOfBody, type RestAdmission } from '../rest-admission.ts'
import { type Admitted, type ConnectionOwner, FastPathConnection } from './connection.ts'
import type { PlainRequest } from './plain-request.ts'

export type FastRoute = {
  readonly path: string
  readonly scope: Scope
  readonly bucket: BucketName
  readonly accepts: (body: unknown) => boolean
  /** Whether an Idempotency-Key is the transactionId of its body. */
  readonly hasTransactionId: boolean
  readonly handle: (
    request: FastRequest,
    traceparent: string | undefined,
  ) => Promise<RouteAnswer> | RouteAnswer
}

export type FastRequest = {
  readonly body: unknown
  readonly operator: OperatorRow
  readonly key: KeyRow
  readonly bodyCost: number
  readonly address: () => string
  readonly charge: (more: number) => Refusal | null
  readonly chargeAfter: (done: ChargedCommand) => void
}

type FastPathOptions = Pick<Context, 'reportFailure'> & {
  readonly addresses: ClientAddresses
  readonly admission: RestAdmission
  readonly refusalPace: RefusalPace
  readonly recordRequest: RecordRequest
  readonly idleMsMax: number
}

type RunOptions = Pick<Admitted, 'requestId' | 'traceparent' | 'headers' | 'address'> & {
  /** The refusal of a request that exceeds the rate limit. */
  readonly refusal: Refusal | null
  readonly socket: Socket
}

export class FastPath implements ConnectionOwner {
  readonly #options: FastPathOptions
  readonly #routes = new Map<string, FastRoute>()
  readonly #open = new Set<FastPathConnection>()
  #toHttp: (socket: Socket) => void = () => {}
  #isClosing = false

  constructor(options: FastPathOptions) {
    this.#options = options
  }

  add(route: FastRoute): void {
    this.#routes.set(route.path, route)
  }

  /** Handles the connections of the server from now on. */
  attach(server: Server): void {
    const own = server.listeners('connection')
    server.removeAllListeners('connection')
    this.#toHttp = (socket) => {
      for (const listener of own) listener.call(server, socket)
    }
    server.on('connection', (socket: Socket) => {
      if (this.#isClosing) this.#toHttp(socket)
      else this.#open.add(new FastPathConnection(socket, this, this.#options.idleMsMax))
    })
  }

  /** Idle connections end now, others after their pending answer. */
  close(): void {
    this.#isClosing = true
    for (const connection of this.#open) connection.close()
  }

  admit(request: PlainRequest, socket: Socket): Admitted | null {
    try {
      return this.#admit(request, socket)
    } catch (error) {
      // The HTTP server answers it.
      this.onFailure(error)
      return null
    }
  }

  #admit(plain: PlainRequest, socket: Socket): Admitted | null {
    const { apiKey, body: text, path, requestId: sentId } = plain
    const route = this.#routes.get(path)
    if (route === undefined) return null
    const startedAt = performance.now()
    const { addresses, admission } = this.#options
    const caller = admission.callerOf(apiKey, route.scope)
    if (caller instanceof Refusal) return null
    const { operator, key } = caller
    // A request over the limit is refused whatever its body is, so it is not parsed.
    const isAllowed = admission.allowsBody(route.bucket, operator, text.length)
    const body = isAllowed ? bodyOf(plain, route) : undefined
    if (isAllowed && !route.accepts(body)) return null
    const requestId = requestIdOf({ headers: { 'x-request-id': sentId } })
    const headers = firstHeaders(requestId)
    const charged = { caller: operator, headers }
    const bodyCost = costOfBody(text.length)
    const refusal = isAllowed
      ? (admission.consume(route.bucket, operator.id, headers) ??
        admission.charge(route.bucket, charged, { more: bodyCost }))
      : admission.refuseBody(route.bucket, charged, text.length)
    const charge = (more: number) =>
      admission.charge(route.bucket, charged, { more, counted: bodyCost })
    const chargeAfter = (done: ChargedCommand) => admission.chargeAfter(route.bucket, charged, done)
    const address = () => addresses.of(socket.remoteAddress, plain.forwarding)
    const request = { body, operator, key, bodyCost, address, charge, chargeAfter }
    const { traceparent } = plain
    const about = { requestId, traceparent, headers, address }
    const run = () => this.#run(route, { ...about, refusal, socket }, request)
    return { route: path, ...about, startedAt, run }
  }

  onAnswer(admitted: Admitted, status: number): void {
    const { requestId, traceparent, route, startedAt, address } = admitted
    const about = { method: 'POST', route, status, requestId, traceparent, startedAt, address }
    this.#options.recordRequest(about)
  }

  handOver(socket: Socket, bytes: Buffer): void {
    socket.pause()
    if (bytes.length > 0) socket.unshift(bytes)
    this.#toHttp(socket)
    paceInput(socket)
    process.nextTick(() => socket.resume())
  }

  onEnd(connection: FastPathConnection): void {
    this.#open.delete(connection)
  }

  onFailure(error: unknown): void {
    this.#options.reportFailure('rest', 'connection failed', { error })
  }

  #untilDue({ id }: OperatorRow, socket: Socket): Promise<void> {
    return new Promise((resolve) => {
      this.#options.refusalPace.answer(id, socket, resolve)
    })
  }

  /** Carries out a request and encodes its answer; if either fails, encodes the refusal. */
  async #run(
    route: FastRoute,
    { requestId, traceparent, headers, address, refusal, socket }: RunOptions,
    request: FastRequest,
  ): Promise<Encoded> {
    try {
      if (refusal !== null) await this.#untilDue(request.operator, socket)
      const answer = refusal ?? (await route.handle(request, traceparent))
      assert(!(answer instanceof Streamed), 'a route of the fast path does not stream')
      return encodeAnswer(answer, headers)
    } catch (error) {
      const refused = refusalOfError(error)
      if (isOwnFault(error, refused)) {
        const about = { requestId, ...traceOf(traceparent), method: 'POST', route: route.path }
        const failed = { ...about, address: address(), error }
        this.#options.reportFailure('rest', 'request failed', failed)
      }
      return encodeAnswer(refused, headers)
    }
  }
}

// undefined, which no schema accepts, if the HTTP server has to answer what is wrong.
function bodyOf(
  { body: text, idempotencyKey }: PlainRequest,
  { hasTransactionId }: FastRoute,
): unknown {
  if (idempotencyKey === undefined) return jsonOf(text)
  const key = hasTransactionId ? idempotencyKeyOf([idempotencyKey]) : null
  if (key === null || key instanceof Refusal) return undefined
  const body = withTransactionId(jsonOf(text), key)
  return body instanceof Refusal ? undefined : body
}

// undefined, which no schema accepts, if the text is not JSON.
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
