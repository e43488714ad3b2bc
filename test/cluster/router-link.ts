// A simulated link to another node. It delivers in order, and may break before a message is
// delivered, before it is executed, or before its answer arrives.

import type { Peer, PeerOutcome } from '../../src/cluster/peer.ts'
import type { Random } from '../support/process/random.ts'
import type { SimClock } from './router-clock.ts'
import type { SimCommand, SimNode } from './router-nodes.ts'

type Outcome = PeerOutcome<never>
type Sent = { readonly command: SimCommand; readonly resolve: (outcome: Outcome) => void }

const silenceMs = 1_500

export class SimLink implements Peer {
  isConnected = true
  /** What goes into a cut link is lost, which is noticed after a while. */
  #isCut = false
  #unanswered = new Set<Sent>()
  #lastDeliveryAt = 0
  /** Messages of an earlier connection are not answered. */
  #connection = 0
  readonly #clock: SimClock
  readonly #random: Random
  readonly #node: SimNode
  readonly #onConnected: () => void
  /** Chance in percent that a link breaks just before a message is written. */
  readonly #unsentChance: number

  constructor(options: {
    clock: SimClock
    random: Random
    node: SimNode
    onConnected: () => void
    unsentChance: number
  }) {
    this.#clock = options.clock
    this.#random = options.random
    this.#node = options.node
    this.#onConnected = options.onConnected
    this.#unsentChance = options.unsentChance
  }

  readonly sendAll: Peer['sendAll'] = (shard, kind, commands, msLeft) => {
    const simCommands = commands as unknown as SimCommand[]
    if (!this.isConnected) return simCommands.map(() => Promise.resolve({ kind: 'UNSENT' }))
    if (this.#random.chance(this.#unsentChance)) {
      this.declareBroken()
      return simCommands.map(() => Promise.resolve({ kind: 'UNSENT' }))
    }
    const deadline = msLeft === null ? Number.POSITIVE_INFINITY : this.#clock.now() + msLeft
    const connection = this.#connection
    const promises: Promise<Outcome>[] = []
    const frame: Sent[] = []
    for (const command of simCommands) {
      promises.push(
        new Promise((resolve) => {
          const sent = { command, resolve }
          frame.push(sent)
          this.#unanswered.add(sent)
        }),
      )
    }
    this.#inOrder(() => {
      if (this.#isCut || connection !== this.#connection) return
      for (const sent of frame) {
        const reply = (outcome: PeerOutcome) => this.#reply(connection, sent, outcome)
        this.#node.receive(shard, kind, sent.command, { deadline, reply })
      }
    })
    return promises
  }

  #reply(connection: number, sent: Sent, outcome: PeerOutcome): void {
    this.#inOrder(() => {
      if (this.#isCut || connection !== this.#connection || !this.#unanswered.delete(sent)) return
      sent.resolve(outcome as Outcome)
    })
  }

  #inOrder(run: () => void): void {
    const at = this.#clock.now() + this.#random.between(0, 4)
    this.#lastDeliveryAt = Math.max(at, this.#lastDeliveryAt)
    this.#clock.at(this.#lastDeliveryAt, run)
  }

  /** Loses all messages from now on, and is declared broken when the silence is noticed. */
  cut(): void {
    if (this.#isCut || !this.isConnected) return
    this.#isCut = true
    this.#clock.after(this.#random.between(0, silenceMs), () => this.declareBroken())
  }

  declareBroken(): void {
    if (!this.isConnected) return
    this.isConnected = false
    this.#connection += 1
    const lost = this.#unanswered
    this.#unanswered = new Set()
    for (const { command, resolve } of lost) {
      command.wasLost = true
      resolve({ kind: 'LOST' })
    }
    this.#reconnect()
  }

  #reconnect(): void {
    this.#clock.after(this.#random.between(20, 1_000), () => {
      if (this.#node.isFrozen || this.#node.isDown) {
        this.#reconnect()
        return
      }
      this.isConnected = true
      this.#isCut = false
      this.#onConnected()
    })
  }
}
