// The link to one other node: commands go out and outcomes come back. It connects again for as
// long as it is not closed.

import type { CommandKind, Commands } from '../../engine/commands.ts'
import type { Log } from '../../ops/log.ts'
import type { Peer, PeerOutcome } from '../peer.ts'
import { ClientConnection, type ConnectionOptions } from './client-connection.ts'
import { commandCodec, operatorOf } from './command-codec.ts'
import {
  type Interest,
  type OwnedShard,
  type Reply,
  syncRequest,
  type TurnMessage,
} from './messages.ts'
import { decodeOutcome, type OutcomeTuple } from './outcome-codec.ts'
import { UnansweredCommands } from './unanswered.ts'

/** Requests without a response. */
const requestsMax = 1_024
const reconnectMs = { least: 100, most: 1_000 } as const
/** Of one message; a larger batch becomes several. */
const commandsMax = 256
/** Instead of a response, if the link broke before: the request may have been carried out. */
export const lostResponse = Symbol('lost response')

export type LinkEvents = {
  /** What the node owns: after each connection, every 500 ms, and when it changes. */
  onRoutes(nodeId: string, shards: readonly OwnedShard[]): void
  /** Interests of an earlier connection are gone. */
  onConnected?(nodeId: string): void
  onDisconnected?(nodeId: string): void
  onTurn?(nodeId: string, turn: TurnMessage): void
  /** Turns of the node were dropped. */
  onResync?(nodeId: string): void
  /** Tokens granted. */
  onTokens?(nodeId: string, granted: unknown): void
}

export type LinkClientOptions = ConnectionOptions & {
  readonly events: LinkEvents
  readonly log: Pick<Log, 'info' | 'warn'>
}

export class LinkClient implements Peer {
  readonly #options: LinkClientOptions
  readonly #unanswered = new UnansweredCommands()
  /** Called with undefined if the node cannot respond. */
  readonly #requests = new Map<number, (body: unknown) => void>()
  #connection: ClientConnection | null = null
  #reconnect: NodeJS.Timeout | undefined
  #reconnectMs: number = reconnectMs.least
  #lastNumber = 0
  #lastRequest = 0
  /** Commands up to this number have left; the others wait for the end of the loop's turn. */
  #sentNumber = 0
  #isClosed = false
  /** The node stops, and has executed nothing that it has not answered. */
  #hasLeft = false
  #loggedReason: string | null = null

  constructor(options: LinkClientOptions) {
    this.#options = options
    this.#connect()
  }

  get nodeId(): string {
    return this.#options.nodeId
  }

  get address(): string {
    return this.#options.address
  }

  get isConnected(): boolean {
    return this.#connection?.isOpen === true && !this.#hasLeft
  }

  sendAll<Kind extends CommandKind>(
    shard: number,
    kind: Kind,
    commands: readonly Commands[Kind]['command'][],
    msLeft: number | null,
  ): readonly Promise<PeerOutcome<Commands[Kind]['answer']>>[] {
    if (!this.isConnected) return commands.map(async () => ({ kind: 'UNSENT' as const }))
    const codec = commandCodec(kind)
    const encoded: unknown[] = []
    const firstNumber = this.#lastNumber + 1
    const outcomes = commands.map((command) => {
      const operatorId = operatorOf(command)
      const refusal = this.#unanswered.refusalOf(shard, operatorId)
      if (refusal !== null) {
        return Promise.resolve({ kind: 'UNAVAILABLE' as const, message: refusal })
      }
      encoded.push(codec.encode(command))
      const number = ++this.#lastNumber
      return new Promise<PeerOutcome<Commands[Kind]['answer']>>((resolve) => {
        this.#unanswered.add(number, { kind, shard, operatorId, resolve })
      })
    })
    for (let start = 0; start < encoded.length; start += commandsMax) {
      const part =
        encoded.length <= commandsMax ? encoded : encoded.slice(start, start + commandsMax)
      this.#connection!.send(['commands', firstNumber + start, shard, kind, msLeft, part])
    }
    return outcomes
  }

  /** Lost with the connection, like the other messages below. */
  sendInterest(interest: Interest): void {
    if (this.isConnected) this.#connection!.send(['interest', interest])
  }

  sendDisinterest(interest: Interest): void {
    if (this.isConnected) this.#connection!.send(['disinterest', interest])
  }

  sendTokens(wanted: unknown): void {
    if (this.isConnected) this.#connection!.send(['tokens', wanted])
  }

  /** Resolves to the response; to undefined if the node cannot give one, or was not asked. */
  request(name: string, body: unknown): Promise<unknown> {
    if (!this.isConnected || this.#requests.size >= requestsMax) return Promise.resolve(undefined)
    const number = ++this.#lastRequest
    this.#connection!.send(['request', number, name, body])
    return new Promise((resolve) => this.#requests.set(number, resolve))
  }

  /** Resolves to true once what was sent before is in force; to false if the link broke before. */
  async sync(): Promise<boolean> {
    return (await this.request(syncRequest, null)) === true
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#reconnect)
    this.#connection?.close('this node has closed the link')
  }

  #connect(): void {
    let wasOpen = false
    this.#connection = new ClientConnection(this.#options, {
      onOpen: () => {
        wasOpen = true
        this.#opened()
      },
      onReply: (reply) => this.#read(reply),
      onFlush: () => {
        this.#sentNumber = this.#lastNumber
      },
      onClose: (reason) => this.#disconnected(reason, wasOpen),
    })
  }

  #opened(): void {
    const { nodeId, address, events, log } = this.#options
    this.#reconnectMs = reconnectMs.least
    this.#loggedReason = null
    log.info('link opened', { nodeId, address })
    events.onConnected?.(nodeId)
  }

  #disconnected(reason: string, wasOpen: boolean): void {
    const { nodeId, events } = this.#options
    this.#connection = null
    const hasLeft = this.#hasLeft
    this.#hasLeft = false
    if (!this.#isClosed) {
      this.#logLoss(reason, wasOpen)
      this.#reconnect = setTimeout(() => this.#connect(), this.#reconnectMs).unref()
      this.#reconnectMs = Math.min(2 * this.#reconnectMs, reconnectMs.most)
    }
    for (const [number, { resolve }] of this.#unanswered.removeAll()) {
      resolve({ kind: hasLeft || number > this.#sentNumber ? 'UNSENT' : 'LOST' })
    }
    const requests = [...this.#requests.values()]
    this.#requests.clear()
    for (const resolve of requests) resolve(lostResponse)
    if (wasOpen) events.onDisconnected?.(nodeId)
  }

  // Attempts that fail for the same reason are logged once.
  #logLoss(reason: string, wasOpen: boolean): void {
    const { nodeId, address, log } = this.#options
    if (reason === this.#loggedReason) return
    this.#loggedReason = reason
    log.warn(wasOpen ? 'link lost' : 'link not opened', { nodeId, address, reason })
  }

  #read(reply: Reply): void {
    const { nodeId, events } = this.#options
    switch (reply[0]) {
      case 'result': {
        const [, number, ...outcome] = reply
        this.#end(number, outcome)
        return
      }
      case 'beat':
        events.onRoutes(nodeId, reply[1])
        return
      case 'turn':
        events.onTurn?.(nodeId, reply[1])
        return
      case 'resync':
        events.onResync?.(nodeId)
        return
      case 'tokens':
        events.onTokens?.(nodeId, reply[1])
        return
      case 'response':
        this.#respond(reply[1], reply[2])
        return
      case 'leave':
        this.#hasLeft = true
        return
      default:
      // A later version may send what this one does not know.
    }
  }

  #respond(number: number, body: unknown): void {
    this.#requests.get(number)?.(body)
    this.#requests.delete(number)
  }

  #end(number: number, tuple: OutcomeTuple): void {
    const command = this.#unanswered.remove(number)
    if (command === undefined) return
    try {
      command.resolve(decodeOutcome(command.kind, tuple) as PeerOutcome<never>)
    } catch {
      command.resolve({ kind: 'UNKNOWN', message: 'the answer of the node cannot be read' })
    }
  }
}
