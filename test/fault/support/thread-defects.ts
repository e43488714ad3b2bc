// Loaded into a service with --import, so that it runs in each of its threads: plants the defect
// FAULT_DEFECT into the classes of the embedded store.

import { isMainThread } from 'node:worker_threads'
import { CollapsedRows } from '../../../src/store/sqlite/collapsed-rows.ts'
import { DerivedTables } from '../../../src/store/sqlite/derived-tables.ts'
import { Deriver } from '../../../src/store/sqlite/deriver.ts'
import { TurnsFile } from '../../../src/store/sqlite/turns-file.ts'
import type { ThreadDefect } from './planted-defects.ts'

/** Some derivations are right, so that the service can be set up. */
const wrongEvery = 2
let derivations = 0

const plants: Readonly<Record<ThreadDefect, () => void>> = {
  'moves the head without the rows': () => {
    const { groups } = CollapsedRows.prototype
    CollapsedRows.prototype.groups = function () {
      derivations += 1
      return derivations % wrongEvery === 0 ? [] : groups.call(this)
    }
  },
  'deletes turns that the tables do not have': () => {
    const { add } = TurnsFile.prototype
    TurnsFile.prototype.add = function (turn) {
      this.delete(turn.from)
      add.call(this, turn)
    }
  },
  'reads without waiting for the tables': () => {
    DerivedTables.prototype.request = () => 0
  },
  // A start derives in the main thread.
  'starts without the turns of the last process': () => {
    if (isMainThread) Deriver.prototype.step = () => false
  },
}

plants[process.env.FAULT_DEFECT as ThreadDefect]?.()
