// A defect of the thread that commits turns to PostgreSQL: it ends with turns that have one of
// these texts. A service can preload it.

import { Writer } from '../../../src/store/postgres/writer.ts'
import { rowsOf } from '../../../src/store/row-bytes.ts'

export const endsBefore = 'ends before the commit'
export const endsAfter = 'ends after the commit'

const { commit } = Writer.prototype

Writer.prototype.commit = async function (turn) {
  const { texts } = rowsOf(turn.rows)
  if (texts.includes(endsBefore)) process.exit(1)
  await commit.call(this, turn)
  if (texts.includes(endsAfter)) process.exit(1)
}
