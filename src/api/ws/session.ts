// One connection: its messages are validated, carried out in order and answered.

import type { Socket } from 'node:net'
import type { RawData, WebSocket } from 'ws'
import type { OperatorRow } from '../../store/store.ts'
import { outOfTouch, tooMany } from '../admission/admission.ts'
import { type Caller, isStillValid, outOfScope } from '../admission/caller.ts'
import type { ConnectionLimits, Holder } from '../admission/connection-limits.ts'
import { Refusal, refusalOf } from '../errors.ts'
import { type EventPosition, rewoundAt } from '../event-position.ts'
import { isOwnFault, refusalOfFault } from '../faults.ts'
import { presentDeadMan } from '../present/dead-man.ts'
import {
  type ArmDeadMan,
  type Auth,
  type Message,
  messageIdOf,
  notText,
  type PublicChannel,
  parseMessage,
  publicChannels,
  type Subscribe,
  type Unsubscribe,
} from './client-messages.ts'
import type { StreamContext } from './context.ts'
import { frameOf } from './encode.ts'
import { EventStream } from './event-stream.ts'
import { InboundRate } from './inbound-rate.ts'
import { SendBuffer } from './send-buffer.ts'
import type * as server from './server-messages.ts'
import type { Snapshots } from './snapshots.ts'
import { Subscriptions } from './subscriptions.ts'

/** The scope that a key needs to be used on a connection. */
export const streamScope = 'read'

/** Why the service ends a connection; codes from 4000 are its own. */
export const closeCodes = {
  goingAway: 1001,
  policy: 1008,
  internalError: 1011,
  tryAgainLater: 1013,
  keyRevoked: 4001,
  tooSlow: 4008,
} as const

export type SessionOptions = {
  readonly client: WebSocket
  readonly stream: Socket
  readonly address: string
  readonly caller: Caller | null
  readonly context: StreamContext
  readonly snapshots: Snapshots
  readonly limits: ConnectionLimits
  readonly onEnd: (session: Session) => void
}

const rateLimited = new Refusal('RATE_LIMITED', 'Too many messages; send fewer per second.')
const notAuthenticated = new Refusal(
  'UNAUTHORIZED',
  'The channel "events" needs an API key; send it with op "auth".',
)
const notAuthenticatedToTrade = new Refusal(
  'UNAUTHORIZED',
  'A dead-man switch needs an API key with the scope "trade"; send it with op "auth".',
)
const keyGone = new Refusal('UNAUTHORIZED', 'The API key is no longer valid.')
const otherOperator = new Refusal(
  'FORBIDDEN',
  'The connection is already authenticated as another operator.',
)
const alreadySubscribed = new Refusal(
  'VALIDATION_ERROR',
  'channels: the connection is already subscribed to "events"',
)

export class Session {
  readonly #options: SessionOptions
  readonly #client: WebSocket
  readonly #sendBuffer: SendBuffer
  readonly #subscriptions: Subscriptions
  readonly #rate: InboundRate
  readonly #heartbeat: NodeJS.Timeout
  #caller: Caller | null
  #events: { readonly stream: EventStream; readonly stop: () => void } | null = null
  /** Messages are processed one after the other. */
  #work: Promise<void> = Promise.resolve()
  #hasPong = true

  constructor(options: SessionOptions) {
    const { client, stream, context, snapshots } = options
    const { settings, outbox, reportFailure } = context
    this.#options = options
    this.#client = client
    this.#caller = options.caller
    this.#sendBuffer = new SendBuffer(client, stream, settings, () => this.#closeSlow())
    const sendBuffer = this.#sendBuffer
    this.#subscriptions = new Subscriptions({ outbox, snapshots, sendBuffer, reportFailure })
    const { messagesPerSecond: perSecond, messagesBurst: burst } = settings
    this.#rate = new InboundRate({ perSecond, burst, now: performance.now() })
    this.#heartbeat = setInterval(() => this.try(() => this.#sendHeartbeat()), settings.heartbeatMs)
    this.#heartbeat.unref()
    client.on('message', (data, isBinary) => this.try(() => this.#receive(data, isBinary)))
    client.on('ping', (data) => this.try(() => this.#receivePing(data)))
    client.on('pong', () => {
      this.#hasPong = true
    })
    // The close that follows handles it.
    client.on('error', () => undefined)
    client.on('close', () => this.try(() => this.#end()))
  }

  /** Runs a part of the session; if it fails, the connection is closed, and no other. */
  try(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    const { address, context } = this.#options
    context.reportFailure('stream', 'session failed', { address, error })
    this.close(closeCodes.internalError, 'The service failed to process a message.')
  }

  get #holder(): Holder {
    const { address } = this.#options
    return { address, operatorId: this.#caller?.operator.id ?? null }
  }

  #send(message: server.Message): void {
    this.#sendBuffer.send(frameOf(message))
  }

  #refuse({ code, message, details }: Refusal, id: string | null): void {
    const more = details === undefined ? {} : { details }
    this.#send({ type: 'error', id, error: { code, message, ...more } })
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (!this.#isWithinRate(() => (isBinary ? null : messageIdOf(String(data))))) return
    const parsed = isBinary ? notText : parseMessage(String(data))
    this.#work = this.#work
      .then(() => {
        if ('message' in parsed) return this.#process(parsed.message)
        this.#refuse(parsed.refusal, parsed.id)
      })
      .catch((error: unknown) => this.#fail(error))
  }

  // A pong would be buffered, too, so pings count towards the rate.
  #receivePing(data: Buffer): void {
    if (this.#isWithinRate(() => null) && this.#sendBuffer.isOpen) this.#client.pong(data)
  }

  /** The id is read only if the message is refused. */
  #isWithinRate(idOf: () => string | null): boolean {
    const verdict = this.#rate.consume(performance.now())
    if (verdict === 'refused') this.#refuse(rateLimited, idOf())
    if (verdict === 'disconnect') this.close(closeCodes.policy, rateLimited.message)
    return verdict === 'accepted'
  }

  async #process(message: Message): Promise<void> {
    const id = message.id ?? null
    try {
      if (!this.#sendBuffer.isOpen) return
      const refusal = await this.#answer(message, id)
      if (refusal !== null) this.#refuse(refusal, id)
    } catch (error) {
      const refusal = refusalOfFault(error)
      if (isOwnFault(error, refusal)) {
        const { address, context } = this.#options
        context.reportFailure('stream', 'message failed', { address, error })
      }
      this.#refuse(refusal, id)
    }
  }

  async #answer(message: Message, id: string | null): Promise<Refusal | null> {
    switch (message.op) {
      case 'ping':
        this.#send({ type: 'pong', id, timestamp: this.#options.context.now() })
        return null
      case 'auth':
        return this.#authenticate(message, id)
      case 'deadMan':
        return this.#armDeadMan(message, id)
      case 'subscribe':
        return this.#subscribe(message, id)
      case 'unsubscribe':
        this.#unsubscribe(message, id)
        return null
    }
  }

  #authenticate({ apiKey }: Auth, id: string | null): Refusal | null {
    const { context, limits } = this.#options
    const caller = context.admission.authenticate(apiKey, streamScope)
    if (caller instanceof Refusal) return caller
    const known = this.#caller
    const operatorId = caller.operator.id
    if (known !== null && known.operator.id !== operatorId) return otherOperator
    if (known === null) {
      const refusal = limits.move(this.#holder, { ...this.#holder, operatorId })
      if (refusal !== null) return refusal
    }
    this.#caller = caller
    this.#send({ type: 'authenticated', id, operatorId })
    return null
  }

  async #armDeadMan(message: ArmDeadMan, id: string | null): Promise<Refusal | null> {
    const { admission, shards } = this.#options.context
    if (this.#caller === null) return notAuthenticatedToTrade
    const { operator, key } = this.#caller
    if (!key.scopes.includes('trade')) return outOfScope.trade
    if (!admission.isInTouch) return outOfTouch
    if (admission.consume('cancels', operator.id)?.isAllowed === false) return tooMany
    const { playerId = null, timeoutMs } = message
    const command = { operatorId: operator.id, playerId, timeoutMs }
    const result = await shards.of(operator).submit('armDeadMan', command)
    if (!result.isAccepted) return refusalOf(result.reject)
    if (!this.#sendBuffer.isOpen) return null
    this.#send({ type: 'deadMan', id, ...presentDeadMan(result.answer) })
    return null
  }

  async #subscribe(message: Subscribe, id: string | null): Promise<Refusal | null> {
    const { marketIds = [], outcomeIds = null, since = null, historyId = null } = message
    const channels = publicOf(message.channels)
    const operator = this.#caller?.operator ?? null
    const wantsEvents = message.channels.includes('events')
    if (wantsEvents && operator === null) return notAuthenticated
    if (wantsEvents && this.#events !== null) return alreadySubscribed
    // One token for each market that is looked up, or for each new topic if these are more.
    const lookups = Math.max(1, marketIds.length)
    const limited = this.#charge(lookups)
    if (limited !== null) return limited
    const outcomes = await this.#subscriptions.find({ channels, marketIds, outcomeIds })
    if (outcomes instanceof Refusal) return outcomes
    const topics = this.#subscriptions.countNew(channels, outcomes)
    const limitedMore = this.#chargeMore(topics - lookups)
    if (limitedMore !== null) return limitedMore
    const tapeStarts = await this.#subscriptions.tapeStarts(channels, outcomes)
    const position = { since, historyId }
    const more =
      wantsEvents && operator !== null ? await this.#openEvents(operator, position) : undefined
    if (more instanceof Refusal) return more
    if (!this.#sendBuffer.isOpen) return null
    this.#send({
      type: 'subscribed',
      id,
      channels: message.channels,
      ...namesOf(outcomes),
      ...more,
    })
    this.#subscriptions.begin(channels, outcomes, tapeStarts)
    this.#events?.stream.start()
    return null
  }

  /** Consumes tokens of the operator's requests, or of the address without a key. */
  #charge(count: number): Refusal | null {
    const verdict = this.#options.context.admission.consume(...this.#bucket)
    return verdict?.isAllowed === false ? tooMany : this.#chargeMore(count - 1)
  }

  #chargeMore(more: number): Refusal | null {
    if (more <= 0) return null
    const verdict = this.#options.context.admission.consumeMore(...this.#bucket, more)
    return verdict?.isAllowed === false ? tooMany : null
  }

  get #bucket(): ['requests' | 'public', string] {
    const { address, operatorId } = this.#holder
    return operatorId === null ? ['public', address] : ['requests', operatorId]
  }

  async #openEvents(operator: OperatorRow, position: EventPosition) {
    const { since } = position
    const { context } = this.#options
    const shard = context.shards.of(operator)
    const sendBuffer = this.#sendBuffer
    const onRewound = () => this.close(closeCodes.tryAgainLater, 'The database was restored.')
    const stream = new EventStream({ context, shard, sendBuffer, operator, since, onRewound })
    const stored = await stream.open()
    const rewound = rewoundAt(position, stored)
    if (rewound !== null) return rewound
    const stop = context.outbox.listenToOperator(operator, {
      receive: (batch) => {
        this.checkTouch()
        stream.receive(batch)
      },
      resync: () => stream.resync(),
    })
    this.#events = { stream, stop }
    if (!this.#sendBuffer.isOpen) this.#closeEvents()
    const { earliestSequence, ...latest } = stored
    return since === null ? latest : stored
  }

  #unsubscribe({ channels, marketIds, outcomeIds }: Unsubscribe, id: string | null): void {
    const which = { marketIds: marketIds ?? null, outcomeIds: outcomeIds ?? null }
    const outcomes = this.#subscriptions.end({ channels: publicOf(channels), ...which })
    if (channels.includes('events')) this.#closeEvents()
    this.#send({ type: 'unsubscribed', id, channels, ...namesOf(outcomes) })
  }

  #closeEvents(): void {
    this.#events?.stream.close()
    this.#events?.stop()
    this.#events = null
  }

  // A slow client would only fall further behind.
  #sendHeartbeat(): void {
    if (this.#sendBuffer.isSlow) return
    const timestamp = this.#options.context.now()
    this.#send({ type: 'heartbeat', timestamp, books: this.#subscriptions.versions() })
  }

  /** Called periodically: disconnects a client that stopped reading. */
  checkStalled(now: number): void {
    if (this.#sendBuffer.isOpen) this.#sendBuffer.checkStalled(now)
  }

  /** Called periodically: disconnects a client that did not answer the last ping. */
  ping(): void {
    if (!this.#hasPong) {
      this.#client.terminate()
      return
    }
    this.#hasPong = false
    if (this.#sendBuffer.isOpen) this.#client.ping()
  }

  get operatorId(): string | null {
    return this.#holder.operatorId
  }

  /** Called periodically and after changes: disconnects a client whose key is no longer valid. */
  checkKey(): void {
    const { registry, now } = this.#options.context
    if (this.#caller === null || isStillValid(registry, this.#caller, now())) return
    this.#closeEvents()
    this.#refuse(keyGone, null)
    this.close(closeCodes.keyRevoked, keyGone.message)
  }

  /** Called often, and before events are sent: the key may have been revoked elsewhere. */
  checkTouch(): void {
    if (this.#caller === null || this.#options.context.admission.isInTouch) return
    this.close(closeCodes.tryAgainLater, outOfTouch.message)
  }

  #closeSlow(): void {
    this.close(closeCodes.tooSlow, 'The client reads too slowly.')
  }

  /** Sends only the reason; a client that does not read it in time is disconnected. */
  close(code: number, reason: string): void {
    if (!this.#sendBuffer.isOpen) return
    this.#stopSending()
    this.#client.close(code, reason)
    const timer = setTimeout(() => this.#client.terminate(), this.#options.context.settings.closeMs)
    timer.unref()
    this.#client.once('close', () => clearTimeout(timer))
  }

  terminate(): void {
    this.#client.terminate()
  }

  #stopSending(): void {
    clearInterval(this.#heartbeat)
    this.#subscriptions.close()
    this.#closeEvents()
  }

  #end(): void {
    this.#stopSending()
    this.#options.limits.leave(this.#holder)
    this.#options.onEnd(this)
  }
}

function publicOf(channels: Subscribe['channels']): PublicChannel[] {
  return publicChannels.filter((channel) => channels.includes(channel))
}

function namesOf(outcomes: readonly { readonly marketId: string; readonly outcomeId: string }[]) {
  return {
    marketIds: [...new Set(outcomes.map(({ marketId }) => marketId))],
    outcomeIds: outcomes.map(({ outcomeId }) => outcomeId),
  }
}
