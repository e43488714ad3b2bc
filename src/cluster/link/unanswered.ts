// The commands that were given to a link and have no outcome yet, within limits for each shard and
// for each operator in it.

import type { CommandKind } from '../../engine/commands.ts'
import type { PeerOutcome } from '../peer.ts'

/** Of one shard. */
export const unansweredMax = 8_192
/** Of one operator in one shard: the others can always send. */
export const unansweredOfOperatorMax = 4_096

type Counts = { total: number; readonly ofOperators: Map<string, number> }

export type UnansweredCommand = {
  readonly kind: CommandKind
  readonly shard: number
  readonly operatorId: string
  readonly resolve: (outcome: PeerOutcome<never>) => void
}

export class UnansweredCommands {
  readonly #commands = new Map<number, UnansweredCommand>()
  readonly #shards = new Map<number, Counts>()

  get size(): number {
    return this.#commands.size
  }

  /** Why one more command cannot be sent now; null if it can. */
  refusalOf(shard: number, operatorId: string): string | null {
    const counts = this.#shards.get(shard)
    if (counts === undefined) return null
    if (counts.total >= unansweredMax) return 'too many commands wait for the node of this shard'
    if ((counts.ofOperators.get(operatorId) ?? 0) >= unansweredOfOperatorMax) {
      return 'too many commands of this operator wait for the node of this shard'
    }
    return null
  }

  add(number: number, command: UnansweredCommand): void {
    this.#commands.set(number, command)
    const { shard, operatorId } = command
    let counts = this.#shards.get(shard)
    if (counts === undefined) {
      counts = { total: 0, ofOperators: new Map() }
      this.#shards.set(shard, counts)
    }
    counts.total += 1
    counts.ofOperators.set(operatorId, (counts.ofOperators.get(operatorId) ?? 0) + 1)
  }

  /** The command with that number, which from now on has an outcome. */
  remove(number: number): UnansweredCommand | undefined {
    const command = this.#commands.get(number)
    if (command === undefined) return undefined
    this.#commands.delete(number)
    this.#subtract(command)
    return command
  }

  /** All of them, in the order in which they were sent. */
  removeAll(): readonly (readonly [number: number, UnansweredCommand])[] {
    const all = [...this.#commands]
    this.#commands.clear()
    this.#shards.clear()
    return all
  }

  #subtract({ shard, operatorId }: UnansweredCommand): void {
    const counts = this.#shards.get(shard)!
    counts.total -= 1
    const left = counts.ofOperators.get(operatorId)! - 1
    if (left === 0) counts.ofOperators.delete(operatorId)
    else counts.ofOperators.set(operatorId, left)
    if (counts.total === 0) this.#shards.delete(shard)
  }
}
