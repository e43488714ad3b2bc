// The fast path: answers plain requests to the busiest routes without the framework, which would be
// most of the work. Admission, validation and handlers are the same. A request that would be
// refused before its handler runs is handed to the HTTP server, which answers it.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { assert } from '../../../core/assert.ts'
import type { OperatorRow } from '../../../store/store.ts'
import type { BucketName } from '../../admission/admission.ts'
import { Refusal } from '../../errors.ts'
import { isOwnFault } from '../../faults.ts'
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
  readonly handle: (request: FastRequest) => Promise<RouteAnswer> | RouteAnswer
}

export type FastRequest = {
  readonly body: unknown
  readonly operator: OperatorRow
  readonly bodyCost: number
  readonly charge: (more: number) => Refusal | null
  readonly chargeAfter: (done: ChargedCommand) => void
}

type FastPathOptions = Pick<Context, 'reportFailure'> & {
  readonly admission: RestAdmission
  readonly refusalPace: RefusalPace
  readonly recordRequest: RecordRequest
  readonly idleMsMax: number
}

type RunOptions = {
  readonly requestId: string
  readonly headers: string[]
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
    const { admission } = this.#options
    const operator = admission.operatorOf(apiKey, route.scope)
    if (operator instanceof Refusal) return null
    // A request over the limit is refused whatever its body is, so it is not parsed.
    const isAllowed = admission.allowsBody(route.bucket, operator, text.length)
    const body = isAllowed ? jsonOf(text) : undefined
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
    const request = { body, operator, bodyCost, charge, chargeAfter }
    const run = () => this.#run(route, { requestId, headers, refusal, socket }, request)
    return { route: path, headers, requestId, startedAt, run }
  }

  onAnswer({ requestId, route, startedAt }: Admitted, status: number): void {
    this.#options.recordRequest({ method: 'POST', route, status, requestId, startedAt })
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
    { requestId, headers, refusal, socket }: RunOptions,
    request: FastRequest,
  ): Promise<Encoded> {
    try {
      if (refusal !== null) await this.#untilDue(request.operator, socket)
      const answer = refusal ?? (await route.handle(request))
      assert(!(answer instanceof Streamed), 'a route of the fast path does not stream')
      return encodeAnswer(answer, headers)
    } catch (error) {
      const refused = refusalOfError(error)
      if (isOwnFault(error, refused)) {
        const about = { requestId, method: 'POST', route: route.path }
        this.#options.reportFailure('rest', 'request failed', { ...about, error })
      }
      return encodeAnswer(refused, headers)
    }
  }
}

// undefined, which no schema accepts, if the text is not JSON.
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
