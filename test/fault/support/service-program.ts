// The service as the fault tests run it: the same wiring, but it can wait until it is told to
// begin, so that a restart takes no longer than itself, and it can be broken on purpose.

import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { readConfig } from '../../../src/config.ts'
import { startService } from '../../../src/main.ts'
import { onStopSignal } from '../../../src/ops/signals.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Break, breakClock, breakStore, dyingStore } from './planted-defects.ts'

const { FAULT_BREAK, FAULT_DIES_AT, FAULT_WAITS, ...env } = process.env
const broken = (FAULT_BREAK ?? 'nothing') as Break

if (broken === 'follows the clock') breakClock()
if (FAULT_WAITS !== undefined) await once(process.stdin, 'data')
const dies = FAULT_DIES_AT === undefined ? null : dyingStore(Number(FAULT_DIES_AT))
const breaks = breakStore(broken)
const wrapStore = (store: Store) => (dies === null ? breaks(store) : dies(breaks(store)))
const service = await startService(readConfig(env), { wrapStore })
process.stdout.write(service.startMessage)
onStopSignal({ stop: () => service.stop(), exit: (code) => process.exit(code) })
// A process that is killed would never write it.
flushCompileCache()
