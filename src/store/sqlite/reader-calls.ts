// The calls of a thread that reads: all reads of records, each from one snapshot of the database.

import { untilAbandoned } from '../sql/reading.ts'
import { type ReadArgument, type ReadName, readingOf } from '../sql/readings.ts'
import { allItems, type TableName } from '../sql/registry-tables.ts'
import { allCursors } from '../sql/webhook-cursors.ts'
import { answerOf, type Statements } from './connection.ts'
import { DerivedProgress } from './derived-progress.ts'

export type ReaderCalls = ReturnType<typeof readerCalls>

type ReadCall = {
  readonly number: number
  readonly name: ReadName
  readonly argument: ReadArgument<ReadName>
  /** The last command that the read must see. */
  readonly mustSee: number
}

type ReaderOptions = {
  /** The caller no longer needs the answer of the read with that number. */
  readonly isAbandoned?: (number: number) => boolean
  /** Of the tables, which may be behind what a read must see. */
  readonly progress?: DerivedProgress
}

export function readerCalls(statements: Statements, options: ReaderOptions = {}) {
  const { isAbandoned = () => false, progress = new DerivedProgress() } = options
  const { database } = statements
  return {
    // The statements of a call must see the same snapshot.
    read: ({ number, name, argument, mustSee }: ReadCall) => {
      const isGone = () => isAbandoned(number)
      progress.wait(mustSee, isGone)
      database.exec('BEGIN')
      try {
        return answerOf(statements, untilAbandoned(readingOf(name, argument), isGone))
      } finally {
        // A failure may have ended the transaction; another error must not hide it.
        if (database.isTransaction) database.exec('ROLLBACK')
      }
    },
    all: (table: TableName) => answerOf(statements, allItems(table)),
    allCursors: (_: null) => answerOf(statements, allCursors()),
    close: (_: null) => database.close(),
  }
}
