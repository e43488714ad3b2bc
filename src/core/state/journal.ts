// The facts of a turn, command by command.

import { assert } from '../assert.ts'
import type { Fact } from './facts.ts'

/** What one command has done, in order. */
export type CommandFacts = readonly Fact[]

export class Journal {
  private readonly started: Fact[][] = []
  /** How many facts the turn has. */
  factCount = 0

  /** Starts a command: the facts that follow are its own. */
  begin(): void {
    this.started.push([])
  }

  /** Adds a fact to the command that was started last, and returns it. */
  add<Added extends Fact>(fact: Added): Added {
    const facts = this.started.at(-1)
    assert(facts !== undefined, 'a fact belongs to a command')
    facts.push(fact)
    this.factCount += 1
    return fact
  }

  /** The commands of the turn that have changed something. */
  get commands(): readonly CommandFacts[] {
    return this.started
  }

  /** The facts of the last command. */
  get current(): CommandFacts {
    return this.started.at(-1) ?? []
  }

  /** The facts of all commands. */
  *[Symbol.iterator](): Iterator<Fact> {
    for (const facts of this.started) yield* facts
  }

  get isEmpty(): boolean {
    return this.started.length === 0
  }

  clear(): void {
    this.started.length = 0
    this.factCount = 0
  }
}
