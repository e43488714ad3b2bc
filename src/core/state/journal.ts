// The facts of a turn, command by command.

import type { Fact } from './facts.ts'

/** What one command has done, in order. */
export type CommandFacts = readonly Fact[]

export class Journal {
  private facts: Fact[] = []
  /** Where the facts of each command start. */
  private starts: number[] = []

  /** Starts a command: the facts that follow are its own. */
  begin(): void {
    this.starts.push(this.facts.length)
  }

  /** Adds a fact to the command that was started last. */
  add(fact: Fact): void {
    this.facts.push(fact)
  }

  /** The commands of the turn that have changed something. */
  get commands(): readonly CommandFacts[] {
    return this.starts.map((start, at) => this.facts.slice(start, this.starts[at + 1]))
  }

  /** The facts of the last command. */
  get current(): CommandFacts {
    return this.facts.slice(this.starts.at(-1))
  }

  /** The facts of all commands. */
  [Symbol.iterator](): Iterator<Fact> {
    return this.facts.values()
  }

  /** The facts of the turn without the first `factCount`. */
  since(factCount: number): readonly Fact[] {
    return this.facts.slice(factCount)
  }

  /** How many facts the turn has. */
  get factCount(): number {
    return this.facts.length
  }

  /** How many commands of the turn have changed something. */
  get commandCount(): number {
    return this.starts.length
  }

  get isEmpty(): boolean {
    return this.starts.length === 0
  }

  clear(): void {
    this.facts = []
    this.starts = []
  }
}
