// What a check is: a name, and the sentences about what it found. Most are one statement that
// selects the records which break a rule, and says of each what is wrong with it.

import type { DatabaseSync } from 'node:sqlite'
import type { Ids } from '../../../core/ids.ts'
import { numberOf, textOf } from '../../sql/cells.ts'
import type { Statements } from '../connection.ts'

/** What is looked at: one snapshot of the database, and tables beside it for what was summed up. */
export type Scene = {
  readonly database: DatabaseSync
  readonly statements: Statements
  readonly ids: Ids
  readonly shard: number
  /** For a check that takes long: which part of it is done, from 0 to 1. */
  readonly onPart: (part: number) => void
}

export type Check = {
  readonly name: string
  /** How long it takes beside the others, for whoever watches; 1 where it is left out. */
  readonly weight?: number
  /** A sentence for each violation. */
  readonly run: (scene: Scene) => Iterable<string>
}

type Subject = 'Market' | 'Outcome' | 'Order' | 'Trade' | 'Position' | 'Settlement' | 'Set'

/**
 * The statement gives `serial` and `time` of each record that breaks the rule, which make its
 * public id, and a `finding` that goes on from there. Without a subject the finding says it all.
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
  // A record whose market is gone has no time of creation to make its id from.
  if (typeof serial !== 'number' || typeof time !== 'number') return `number ${serial}`
  return ids.textOf(numberOf(serial), numberOf(time))
}
