// Another node as this one sees it: where commands for its shards are sent, and how they end.

import type { CommandKind, Commands, Result } from '../engine/commands.ts'

/** The owner of a shard. A higher epoch is later. */
export type Route = { readonly nodeId: string; readonly epoch: number }

/** How a command that was given to a peer has ended. */
export type PeerOutcome<Answer = unknown> =
  | { readonly kind: 'ANSWERED'; readonly result: Result<Answer> }
  /** Not executed: the node does not own the shard; the owner if it knows it. */
  | { readonly kind: 'NOT_OWNER'; readonly owner: Route | null }
  /** Not executed. */
  | { readonly kind: 'UNAVAILABLE'; readonly message: string }
  /** It may have been executed. */
  | { readonly kind: 'UNKNOWN'; readonly message: string }
  /** It failed at the node; nothing of it is stored. */
  | { readonly kind: 'FAILED'; readonly message: string }
  /** Not executed: it was not sent, because there is no link. */
  | { readonly kind: 'UNSENT' }
  /** It was sent, and the link broke before the answer: it may have been executed. */
  | { readonly kind: 'LOST' }

export interface Peer {
  /** Commands can be sent now. */
  readonly isConnected: boolean
  /**
   * Sends commands that share a turn if possible. The node discards those that it has not begun
   * when their time has passed; null for no limit.
   */
  sendAll<Kind extends CommandKind>(
    shard: number,
    kind: Kind,
    commands: readonly Commands[Kind]['command'][],
    msLeft: number | null,
  ): readonly Promise<PeerOutcome<Commands[Kind]['answer']>>[]
}
