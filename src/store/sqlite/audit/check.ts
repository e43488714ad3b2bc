// A check: a name and a function that finds violations. Most checks are one statement that selects
// the records which break a rule, with a description of each violation.

import type { DatabaseSync } from 'node:sqlite'
import type { Ids } from '../../../core/ids.ts'
import { numberOf, serialOf, textOf } from '../../sql/cells.ts'
import type { Statements } from '../connection.ts'

/** One snapshot of the database, with temporary tables for sums. */
export type Snapshot = {
  readonly database: DatabaseSync
  readonly statements: Statements
  readonly ids: Ids
  readonly shard: number
  /** Called by long checks with the part that is done, from 0 to 1. */
  readonly onPart: (part: number) => void
}

export type Check = {
  readonly name: string
  /** Duration relative to the other checks, for the progress bar; 1 by default. */
  readonly weight?: number
  /** Returns a sentence for each violation. */
  readonly run: (snapshot: Snapshot) => Iterable<string>
}

type Subject =
  | 'Market'
  | 'Outcome'
  | 'Order'
  | 'Order group'
  | 'Trade'
  | 'Position'
  | 'Settlement'
  | 'Set'

/**
 * The statement selects `serial` and `time` of each record that breaks the rule, from which its
 * public id is made, and a `finding` that continues the sentence. Without a subject the finding is
 * the whole sentence.
 */
export function sqlCheck(name: string, subject: Subject | null, sql: string): Check {
  return {
    name,
    *run({ database, ids }) {
      for (const cells of database.prepare(sql).iterate()) {
        const finding = textOf(cells.finding)
        if (subject === null) yield finding
        else yield `${subject} ${idOf(ids, cells.serial, cells.time)} ${finding}`
      }
    },
  }
}

function idOf(ids: Ids, serial: unknown, time: unknown): string {
  // The id needs a time of creation, which may be that of a market that does not exist.
  if (typeof serial !== 'number' || typeof time !== 'number') return `with serial ${serial}`
  return ids.textOf(serialOf(serial), numberOf(time))
}
