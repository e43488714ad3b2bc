// The messages of a link. A frame is a JSON array of messages, each a tuple that begins with its
// name. Challenge, hello and welcome come first (handshake.ts); the rest keeps its order, except
// that turns may arrive later than results.

import type { OutcomeTuple } from './outcome-codec.ts'

/** Raised when messages change; nodes one version apart understand each other. */
export const linkProtocol = 1

/** Who speaks, as each side states it. */
export type Identity = {
  readonly nodeId: string
  readonly incarnation: string
  readonly protocol: number
  /** Of the settings that all nodes must share. */
  readonly settingsHash: string
}

export type Challenge = Identity & { readonly nonce: string }
export type Hello = Identity & { readonly nonce: string; readonly mac: string }
export type Welcome = { readonly mac: string }

/** A shard that the sender owns, and how long its lease lasts unless it is renewed. */
export type OwnedShard = readonly [shard: number, epoch: number, leaseLeftMs: number]

/** What a node wants to hear of: a market or an operator, by its public id. */
export type Interest = {
  readonly shard: number
  readonly kind: 'market' | 'operator'
  readonly id: string
}

/** What a stored turn means for the interests of a node: JSON values that the link only carries. */
export type TurnMessage = {
  readonly shard: number
  readonly records: unknown
  readonly trades: unknown
}

/** The name of the request that is answered once what was sent before it is in force. */
export const syncRequest = 'sync'

/** What the caller sends. */
export type Request =
  | readonly ['hello', Hello]
  | readonly ['beat']
  /** The commands have consecutive numbers; msLeft is null for no limit. */
  | readonly [
      'commands',
      firstNumber: number,
      shard: number,
      kind: string,
      msLeft: number | null,
      commands: readonly unknown[],
    ]
  | readonly ['interest', Interest]
  | readonly ['disinterest', Interest]
  /** Tokens wanted. */
  | readonly ['tokens', unknown]
  /** What no command is for: JSON values that the link only carries. */
  | readonly ['request', number: number, name: string, body: unknown]

/** What the owner sends. */
export type Reply =
  | readonly ['challenge', Challenge]
  | readonly ['welcome', Welcome]
  /** The last message: why the link ends. */
  | readonly ['closed', reason: string]
  | readonly ['beat', readonly OwnedShard[]]
  | readonly ['result', number: number, ...OutcomeTuple]
  | readonly ['turn', TurnMessage]
  /** Turns were dropped: the receiver reads the store again from what it has seen last. */
  | readonly ['resync']
  /** Tokens granted. */
  | readonly ['tokens', unknown]
  /** The answer to a request; without a body, the node cannot answer it. */
  | readonly ['response', number: number, body?: unknown]
  /** The sender stops: it has answered every command that it has executed, and executes no more. */
  | readonly ['leave']

export type Message = Request | Reply
