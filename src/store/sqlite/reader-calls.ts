// The calls of a thread that reads: all reads of records, each from one snapshot of the database.

import { untilAbandoned } from '../sql/reading.ts'
import { type ReadArgument, type ReadName, readingOf } from '../sql/readings.ts'
import { allItems, type TableName } from '../sql/registry-tables.ts'
import { allCursors } from '../sql/webhook-cursors.ts'
import { answerOf, type Statements } from './connection.ts'

export type ReaderCalls = ReturnType<typeof readerCalls>

type ReadCall = { readonly name: ReadName; readonly argument: ReadArgument<ReadName> }

/** `isAbandoned`: the caller no longer needs the answer of the current read. */
export function readerCalls(statements: Statements, isAbandoned: () => boolean = () => false) {
  const { database } = statements
  return {
    // The statements of a call must see the same snapshot.
    read: ({ name, argument }: ReadCall) => {
      database.exec('BEGIN')
      try {
        return answerOf(statements, untilAbandoned(readingOf(name, argument), isAbandoned))
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
