// The owner's side of one link: it checks the hello, executes the commands and sends the results.

import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { CommandKind, Commands } from '../../engine/commands.ts'
import { commandCodec, isCommandKind } from './command-codec.ts'
import { FrameSocket } from './frame-socket.ts'
import { FrameWriter } from './frame-writer.ts'
import { isProof, mismatchOf, proofOf, wrongKey } from './handshake.ts'
import type {
  Challenge,
  Hello,
  Identity,
  Interest,
  OwnedShard,
  Request,
  TurnMessage,
} from './messages.ts'
import { syncRequest } from './messages.ts'
import { encodeOutcome, type OutcomeTuple, type OwnerOutcome } from './outcome-codec.ts'
import { failureOutcome } from './outcomes.ts'
import { Pulse } from './pulse.ts'

export type LinkHandlers = {
  /** Executes commands that share a turn if possible; see outcomes.ts for what has thrown. */
  submitAll<Kind extends CommandKind>(
    shard: number,
    kind: Kind,
    commands: readonly Commands[Kind]['command'][],
    msLeft: number | null,
  ): readonly Promise<OwnerOutcome<Commands[Kind]['answer']>>[]
  ownedShards(): readonly OwnedShard[]
  onLinkClosed?(link: ServerLink): void
  onInterest?(link: ServerLink, interest: Interest): void
  onDisinterest?(link: ServerLink, interest: Interest): void
  onTokens?(link: ServerLink, wanted: unknown): void
  /** The answer to a request; a promise that is rejected if there is none. */
  onRequest?(name: string, body: unknown): Promise<unknown>
}

export type ServerLinkOptions = {
  readonly socket: Socket
  /** Whether the caller is a process of this machine. */
  readonly isLocal: boolean
  readonly identity: Identity
  readonly key: Buffer
  readonly handlers: LinkHandlers
  /** The hello was accepted; a reason refuses the link. */
  readonly onOpen: (link: ServerLink) => string | null
  /** Called once. */
  readonly onClose: (link: ServerLink, reason: string) => void
}

/** Until then, a caller must have proved that it has the key. */
const helloMs = 2_000

export class ServerLink {
  readonly #options: ServerLinkOptions
  readonly #socket: FrameSocket
  readonly #challenge: Challenge
  readonly #writer: FrameWriter
  readonly #helloTimer: NodeJS.Timeout
  #pulse: Pulse | null = null
  #isClosed = false
  /** Commands that were received and not answered. */
  #unanswered = 0
  #isLeaving = false
  #caller: Identity | null = null

  constructor(options: ServerLinkOptions) {
    this.#options = options
    const { identity, socket } = options
    this.#challenge = { ...identity, nonce: randomBytes(16).toString('base64url') }
    this.#socket = new FrameSocket(socket, {
      onFrame: (frame) => this.#read(frame),
      onClose: (reason) => this.#closed(reason),
    })
    this.#writer = new FrameWriter({
      write: (frame, written) => this.#socket.write(frame, written),
    })
    this.#helloTimer = setTimeout(() => this.close(`no hello within ${helloMs} ms`), helloMs)
    this.#helloTimer.unref()
    this.#writer.send(['challenge', this.#challenge])
  }

  /** For the log. */
  get peer(): string {
    return this.#socket.peer
  }

  /** Of the machine that calls. */
  get address(): string {
    return this.#options.socket.remoteAddress ?? ''
  }

  get isOpen(): boolean {
    return this.#caller !== null && !this.#isClosed
  }

  /** The node that calls; its hello was accepted. */
  get nodeId(): string {
    return this.#caller?.nodeId ?? ''
  }

  get incarnation(): string {
    return this.#caller?.incarnation ?? ''
  }

  /** What was stored for the interests of the caller; it receives a resync if it is far behind. */
  sendTurn(turn: TurnMessage): void {
    if (this.isOpen) this.#writer.sendTurn(turn)
  }

  sendTokens(granted: unknown): void {
    if (this.isOpen) this.#writer.send(['tokens', granted])
  }

  /** Tells the caller at once what this node owns. */
  beat(): void {
    if (this.isOpen) this.#writer.send(['beat', this.#options.handlers.ownedShards()])
  }

  /** Executes no more commands, so that the caller knows the outcome of those without an answer. */
  leave(): void {
    this.#isLeaving = true
    this.#leaveIfAnswered()
  }

  #leaveIfAnswered(): void {
    // Not before the welcome, with which the pulse starts.
    const hasWelcomed = this.isOpen && this.#pulse !== null
    if (this.#isLeaving && hasWelcomed && this.#unanswered === 0) this.#writer.send(['leave'])
  }

  /** Tells the caller why, after what was sent before. */
  close(reason: string): void {
    if (this.#isClosed) return
    this.#writer.send(['closed', reason])
    this.#writer.flush()
    this.#closed(reason)
    this.#socket.end()
  }

  #closed(reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#helloTimer)
    this.#pulse?.stop()
    this.#writer.close()
    this.#options.onClose(this, reason)
  }

  #read(frame: Buffer): void {
    if (this.#isClosed) return
    if (this.#pulse?.hear() === false) return
    try {
      for (const message of JSON.parse(frame.toString()) as Request[]) {
        if (this.#isClosed) return
        if (this.#caller === null) this.#readHello(message)
        else this.#readMessage(message)
      }
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      this.close(`a frame cannot be read: ${cause}`)
    }
  }

  #readHello(message: Request): void {
    if (message[0] !== 'hello') {
      this.close('the first message must be a hello')
      return
    }
    const refusal = this.#refusalOf(message[1])
    if (refusal === null) this.#open(message[1])
    else this.close(refusal)
  }

  #refusalOf({ mac, ...hello }: Hello): string | null {
    const { identity, key, onOpen } = this.#options
    // Before the proof, which another version may make in another way.
    const mismatch = mismatchOf(identity, hello)
    if (mismatch !== null) return mismatch
    if (!isProof(key, { role: 'caller', challenge: this.#challenge, hello }, mac)) {
      return wrongKey
    }
    this.#caller = hello
    return onOpen(this)
  }

  #open({ mac: _, ...hello }: Hello): void {
    const { key } = this.#options
    clearTimeout(this.#helloTimer)
    this.#socket.allowLongFrames()
    const mac = proofOf(key, { role: 'called', challenge: this.#challenge, hello })
    this.#writer.send(['welcome', { mac }])
    // A frame of its own: the caller accepts no long one before it.
    this.#writer.flush()
    this.beat()
    this.#pulse = new Pulse({
      isLocal: this.#options.isLocal,
      beat: () => this.beat(),
      onSilence: () => this.close('the caller is silent'),
    })
    this.#leaveIfAnswered()
  }

  #readMessage(message: Request): void {
    const { handlers } = this.#options
    switch (message[0]) {
      case 'commands': {
        const [, firstNumber, shard, kind, msLeft, commands] = message
        this.#execute({ firstNumber, shard, kind, msLeft, commands })
        return
      }
      case 'interest':
        handlers.onInterest?.(this, message[1])
        return
      case 'disinterest':
        handlers.onDisinterest?.(this, message[1])
        return
      case 'tokens':
        handlers.onTokens?.(this, message[1])
        return
      case 'request': {
        const [, number, name, body] = message
        this.#answer(number, name, body)
        return
      }
      default:
      // A beat needs no answer, and a later version may send what this one does not know.
    }
  }

  // Messages are handled in order: a sync is answered once those before it are in force.
  #answer(number: number, name: string, body: unknown): void {
    if (name === syncRequest) {
      this.#writer.send(['response', number, true])
      return
    }
    const answer = this.#options.handlers.onRequest?.(name, body) ?? Promise.reject()
    answer.then(
      (response) => this.#writer.send(['response', number, response]),
      () => this.#writer.send(['response', number]),
    )
  }

  #execute(message: CommandsMessage): void {
    const { firstNumber, kind, commands } = message
    if (!isCommandKind(kind)) {
      const refusal = { kind: 'UNAVAILABLE', message: `no command has the kind ${kind}` } as const
      for (let place = 0; place < commands.length; place++) {
        this.#sendResult(firstNumber + place, encodeOutcome('place', refusal))
      }
      return
    }
    this.#unanswered += commands.length
    for (const [place, outcome] of this.#submit(kind, message).entries()) {
      void this.#answerCommand(firstNumber + place, kind, outcome)
    }
  }

  async #answerCommand<Kind extends CommandKind>(
    number: number,
    kind: Kind,
    outcome: Promise<OwnerOutcome<Commands[Kind]['answer']>>,
  ): Promise<void> {
    const ended = await outcome.catch(failureOutcome)
    try {
      this.#sendResult(number, encodeOutcome(kind, ended))
    } catch {
      this.#sendResult(number, encodeOutcome(kind, unreadable))
    }
    this.#unanswered -= 1
    this.#leaveIfAnswered()
  }

  #submit<Kind extends CommandKind>(
    kind: Kind,
    { shard, msLeft, commands }: CommandsMessage,
  ): readonly Promise<OwnerOutcome<Commands[Kind]['answer']>>[] {
    if (this.#isLeaving) return commands.map(async () => notOwner)
    if (msLeft !== null && msLeft <= 0) return commands.map(async () => tooLate)
    const codec = commandCodec(kind)
    try {
      const decoded = commands.map((command) => codec.decode(command))
      return this.#options.handlers.submitAll(shard, kind, decoded, msLeft)
    } catch (error) {
      const outcome = failureOutcome(error)
      return commands.map(async () => outcome)
    }
  }

  #sendResult(number: number, outcome: OutcomeTuple): void {
    this.#writer.send(['result', number, ...outcome])
  }
}

const notOwner = { kind: 'NOT_OWNER', owner: null } as const
const tooLate = { kind: 'UNAVAILABLE', message: 'the time for the command has passed' } as const
// It was executed, but its answer cannot be written as JSON.
const unreadable = { kind: 'UNKNOWN', message: 'the answer cannot be sent' } as const

type CommandsMessage = {
  readonly firstNumber: number
  readonly shard: number
  readonly kind: string
  readonly msLeft: number | null
  readonly commands: readonly unknown[]
}
