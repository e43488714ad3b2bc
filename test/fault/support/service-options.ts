// How the fault tests start the service: their own program, quick to start again, without limits of
// rate.

import type { ServiceOptions } from '../../support/process/outcry-process.ts'
import type { Break } from './planted-defects.ts'
import { unlimited } from './trading-fixture.ts'

const program = new URL('./service-program.ts', import.meta.url).pathname
/** Code that was compiled once; ignored by git, and gone with the packages. */
const cache = new URL('../../../node_modules/.cache/outcry-fault', import.meta.url).pathname

/** Begins at once. */
export function started(broken: Break = 'nothing'): ServiceOptions {
  const env = { ...unlimited, LOG_LEVEL: 'error', NODE_COMPILE_CACHE: cache, FAULT_BREAK: broken }
  return { program, env }
}

/** Begins when it is told to. */
export function waiting(broken: Break = 'nothing'): ServiceOptions {
  const options = started(broken)
  return { ...options, waits: true, env: { ...options.env, FAULT_WAITS: '1' } }
}

/** Kills itself at a commit; see `dyingStore`. */
export function dying(atCommit: number, options = started()): ServiceOptions {
  return { ...options, env: { ...options.env, FAULT_DIES_AT: String(atCommit) } }
}
