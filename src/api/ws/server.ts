// The stream at /ws: accepts upgrades of the HTTP server, within limits, and keeps the connections
// until they end.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'
import { assert } from '../../core/assert.ts'
import type { Caller } from '../admission/caller.ts'
import { ConnectionLimits } from '../admission/connection-limits.ts'
import { Refusal } from '../errors.ts'
import { closing } from '../faults.ts'
import { detachInput } from '../http/paced-input.ts'
import { endSocketWith } from '../http/raw-response.ts'
import { requestIdOf } from '../http/request-id.ts'
import type { StreamContext } from './context.ts'
import { closeCodes, Session, streamScope } from './session.ts'
import { Snapshots } from './snapshots.ts'

const messageBytesMax = 16 * 1024
const fragmentsMax = 16
/** How long a stop waits for clients to close. */
const closeWaitMs = 1_000
/** Private streams are closed so soon after the node has lost touch. */
const touchCheckMs = 100

export class StreamServer {
  readonly #context: StreamContext
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: messageBytesMax,
    maxFragments: fragmentsMax,
  })
  readonly #sessions = new Set<Session>()
  readonly #snapshots: Snapshots
  readonly #limits: ConnectionLimits
  readonly #timers: NodeJS.Timeout[]
  #isClosing = false
  #onEmpty: (() => void) | null = null

  constructor(context: StreamContext) {
    const { settings } = context
    this.#context = context
    this.#snapshots = new Snapshots(context)
    this.#limits = new ConnectionLimits(settings)
    this.#timers = [
      this.#every(settings.stallCheckMs, (session) => session.checkStalled(performance.now())),
      this.#every(settings.pingMs, (session) => session.ping()),
      this.#every(settings.keyCheckMs, (session) => session.checkKey()),
      setInterval(() => this.#checkTouch(), touchCheckMs).unref(),
    ]
  }

  /** The number of open connections. */
  get size(): number {
    return this.#sessions.size
  }

  /** An operator or its keys changed: connections whose key is no longer valid are closed. */
  checkKeysOf(operatorId: string): void {
    for (const session of this.#sessions) {
      if (session.operatorId === operatorId) session.try(() => session.checkKey())
    }
  }

  #checkTouch(): void {
    if (this.#context.admission.isInTouch) return
    for (const session of this.#sessions) session.try(() => session.checkTouch())
  }

  #every(ms: number, act: (session: Session) => void): NodeJS.Timeout {
    return setInterval(() => {
      for (const session of this.#sessions) session.try(() => act(session))
    }, ms).unref()
  }

  attach(app: FastifyInstance): void {
    app.server.on('upgrade', (request, stream, head) => {
      assert(isSocket(stream), 'an upgrade of HTTP comes with its socket')
      // The client may disconnect before the upgrade.
      stream.on('error', () => stream.destroy())
      // Comes after `head`, which is put before it.
      const rest = detachInput(stream)
      if (rest !== null) stream.unshift(rest)
      app.openRequests.whenAnswered(stream, () => this.#tryUpgrade(request, stream, head))
    })
    this.#server.on('wsClientError', ({ message }, stream, request) => {
      assert(isSocket(stream), 'the upgrade came with its socket')
      refuseHandshake(request, stream, message)
    })
    // An open connection would keep the server from closing.
    app.addHook('preClose', () => this.#close())
  }

  #tryUpgrade(request: IncomingMessage, stream: Socket, head: Buffer): void {
    if (stream.destroyed) return
    try {
      this.#upgrade(request, stream, head)
    } catch (error) {
      this.#context.reportFailure('stream', 'upgrade failed', { error })
      stream.destroy()
    }
  }

  #upgrade(request: IncomingMessage, stream: Socket, head: Buffer): void {
    const caller = this.#callerOf(request)
    if (caller instanceof Refusal) {
      refuse(request, stream, caller)
      return
    }
    const address = this.#context.addresses.of(stream.remoteAddress, request.headers)
    const holder = { address, operatorId: caller?.operator.id ?? null }
    const refusal = this.#isClosing ? closing : this.#limits.enter(holder)
    if (refusal !== null) {
      refuse(request, stream, refusal)
      return
    }
    let isAccepted = false
    // The handshake may still fail, or the client may disconnect during it.
    stream.once('close', () => {
      if (!isAccepted) this.#limits.leave(holder)
    })
    this.#server.handleUpgrade(request, stream, head, (client) => {
      isAccepted = true
      const session = new Session({
        client,
        stream,
        address,
        caller,
        context: this.#context,
        snapshots: this.#snapshots,
        limits: this.#limits,
        onEnd: (ended) => this.#forget(ended),
      })
      this.#sessions.add(session)
    })
  }

  #callerOf({ headers }: IncomingMessage): Caller | Refusal | null {
    const apiKey = headers['x-api-key']
    return typeof apiKey === 'string'
      ? this.#context.admission.authenticate(apiKey, streamScope)
      : null
  }

  #forget(session: Session): void {
    this.#sessions.delete(session)
    if (this.#sessions.size === 0) this.#onEmpty?.()
  }

  async #close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#timers) clearInterval(timer)
    if (this.#sessions.size === 0) return
    for (const session of this.#sessions) {
      session.close(closeCodes.goingAway, 'The service is shutting down.')
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, closeWaitMs)
      this.#onEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    for (const session of this.#sessions) session.terminate()
  }
}

const wrongMethod = new Refusal('METHOD_NOT_ALLOWED', 'The stream supports only GET.')

function refuseHandshake(request: IncomingMessage, stream: Socket, message: string): void {
  if (request.method !== 'GET') refuse(request, stream, wrongMethod, ['allow', 'GET'])
  else {
    const refusal = new Refusal('VALIDATION_ERROR', `${message}.`)
    // A client of another version learns which versions are supported.
    refuse(request, stream, refusal, ['sec-websocket-version', '13, 8'])
  }
}

function refuse(
  request: IncomingMessage,
  stream: Socket,
  refusal: Refusal,
  headers: readonly string[] = [],
): void {
  const { accept } = request.headers
  endSocketWith(stream, refusal, { requestId: requestIdOf(request), headers, accept })
}

function isSocket(stream: Duplex): stream is Socket {
  return 'remoteAddress' in stream && 'bytesWritten' in stream
}
