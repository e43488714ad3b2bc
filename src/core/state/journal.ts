// The facts of a turn, command by command.

import type { Fact } from './facts.ts'

/** What one command has done, in order. */
export type CommandFacts = readonly Fact[]

export class Journal {
  private started: Fact[][] = []
  private latest: Fact[] = []
  /** How many facts the turn has. */
  factCount = 0

  /** Starts a command: the facts that follow are its own. */
  begin(): void {
    this.latest = []
    this.started.push(this.latest)
  }

  /** Adds a fact to the command that was started last. */
  add(fact: Fact): void {
    this.latest.push(fact)
    this.factCount += 1
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

  get isEmpty(): boolean {
    return this.started.length === 0
  }

  clear(): void {
    this.started = []
    this.latest = []
    this.factCount = 0
  }
}
