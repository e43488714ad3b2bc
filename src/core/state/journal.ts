// The facts of a turn, command by command.

import type { Fact } from './facts.ts'

/** What one command has done, in order. */
export type CommandFacts = readonly Fact[]

export class Journal {
  private started: Fact[][] = []
  private latest: Fact[] = []
  /** How many facts the commands before the last one have. */
  private earlierFacts = 0

  /** Starts a command: the facts that follow are its own. */
  begin(): void {
    this.earlierFacts += this.latest.length
    this.latest = []
    this.started.push(this.latest)
  }

  /** Adds a fact to the command that was started last. */
  add(fact: Fact): void {
    this.latest.push(fact)
  }

  /** The commands of the turn that have changed something. */
  get commands(): readonly CommandFacts[] {
    return this.started
  }

  /** The facts of the last command. */
  get current(): CommandFacts {
    return this.latest
  }

  /** The facts of all commands. */
  *[Symbol.iterator](): Iterator<Fact> {
    for (const facts of this.started) yield* facts
  }

  /** How many facts the turn has. */
  get factCount(): number {
    return this.earlierFacts + this.latest.length
  }

  get isEmpty(): boolean {
    return this.started.length === 0
  }

  clear(): void {
    this.started = []
    this.latest = []
    this.earlierFacts = 0
  }
}
