// The owner to which commands of a shard are sent. When the shard moves, the next owner gets
// commands only after the former one has answered, and one alone until it has executed one, so
// that no command overtakes an earlier one that comes back.

import type { Route } from './peer.ts'
import type { ShardCommands } from './router-options.ts'

/** Commands that are under way to the owner and not answered. */
const underWayMax = 8_192
/** How long the answers of a former owner are waited for. */
const formerOwnerMsMax = 500
/** How long an owner that has refused a command gets none. */
const refusedMs = 50

/** An engine of this node, or another node. Another object is another owner or epoch. */
export type Owner = ShardCommands | Route

export class CurrentOwner {
  #owner: Owner | null = null
  #period = 0
  #underWay = 0
  /** Whether it has executed a command since it has last refused one. */
  #isProven = false
  #refusedUntil = 0
  /** Since when another owner is wanted. */
  #changeWantedAt: number | null = null

  /** Raised when the owner changes. A command remembers the period in which it was sent. */
  get period(): number {
    return this.#period
  }

  /** Whether any number of commands may be sent to it. */
  isOpen(owner: Owner): boolean {
    return owner === this.#owner && this.#isProven
  }

  /**
   * How many commands may be sent to this owner now. It becomes the current one if it can. One that
   * is not open gets a single command, or those that share a frame.
   */
  capacityFor(owner: Owner, now: number): number {
    if (owner !== this.#owner && !this.#change(owner, now)) return 0
    this.#changeWantedAt = null
    if (this.#isProven) return underWayMax - this.#underWay
    return this.#underWay === 0 && now >= this.#refusedUntil ? 1 : 0
  }

  #change(owner: Owner, now: number): boolean {
    if (this.#underWay > 0) {
      this.#changeWantedAt ??= now
      if (now - this.#changeWantedAt < formerOwnerMsMax) return false
    }
    this.#owner = owner
    this.#period += 1
    this.#underWay = 0
    this.#isProven = false
    this.#refusedUntil = 0
    return true
  }

  /** A command is sent to the owner. */
  begin(): number {
    this.#underWay += 1
    return this.#period
  }

  /** A command that was sent in that period is no longer under way. */
  end(period: number): void {
    if (period === this.#period) this.#underWay -= 1
  }

  /** The owner of that period has executed a command, or has tried to. */
  prove(period: number): void {
    if (period === this.#period) this.#isProven = true
  }

  /** The owner of that period has said that it does not own the shard. */
  refuse(period: number, now: number): void {
    if (period !== this.#period) return
    this.#isProven = false
    this.#refusedUntil = now + refusedMs
  }
}
