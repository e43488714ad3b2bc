// The service as the fault tests run it: the same wiring, but it can be started in advance and wait
// for a line on stdin, which makes restarts fast, and it can have a planted defect.

import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { readConfig } from '../../../src/config.ts'
import { onStopSignal } from '../../../src/ops/signals.ts'
import type { Store } from '../../../src/store/store.ts'
import { startService } from '../../../src/wiring/start.ts'
import { type Defect, followClockJumps, killedAtCommit, withDefect } from './planted-defects.ts'
import { withUnreadableRecords } from './unreadable-records.ts'

const { FAULT_DEFECT, FAULT_KILL_AT_COMMIT, FAULT_UNREADABLE, FAULT_WAITS, ...env } = process.env
const defect = (FAULT_DEFECT ?? 'none') as Defect

if (defect === 'follows clock jumps') followClockJumps()
if (FAULT_WAITS !== undefined) await once(process.stdin, 'data')
const addDefect = withDefect(defect)
const wrapStore = (store: Store) => {
  const wrapped = addDefect(FAULT_UNREADABLE === undefined ? store : withUnreadableRecords(store))
  if (FAULT_KILL_AT_COMMIT === undefined) return wrapped
  return killedAtCommit(Number(FAULT_KILL_AT_COMMIT))(wrapped)
}
const service = await startService(readConfig(env), { wrapStore })
process.stdout.write(service.startMessage)
onStopSignal({ stop: () => service.stop(), exit: (code) => process.exit(code) })
// A process that is killed would not write its compile cache at the end.
flushCompileCache()
