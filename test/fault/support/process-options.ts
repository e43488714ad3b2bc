// How the fault tests start the service: with their own program, which restarts quickly, and
// without rate limits.

import type { ServiceOptions } from '../../support/process/outcry-process.ts'
import { type Defect, isInThreads } from './planted-defects.ts'
import { unlimited } from './trading-fixture.ts'

const program = new URL('./main-with-defects.ts', import.meta.url).pathname
const pragmas = new URL('./changed-pragmas.ts', import.meta.url).pathname
const threadDefects = new URL('./thread-defects.ts', import.meta.url).pathname
/** The compile cache; ignored by git. */
const cache = new URL('../../../node_modules/.cache/outcry-fault', import.meta.url).pathname

/** Starts at once. */
export function serviceOptions(defect: Defect = 'none'): ServiceOptions {
  const env = { ...unlimited, LOG_LEVEL: 'error', NODE_COMPILE_CACHE: cache, FAULT_DEFECT: defect }
  const options = { program, env }
  return isInThreads(defect) ? importing(threadDefects, options) : options
}

/** With other pragmas of SQLite; see changed-pragmas.ts. */
export function withPragmas(changes: readonly string[], options: ServiceOptions): ServiceOptions {
  const { env, ...others } = importing(pragmas, options)
  return { ...others, env: { ...env, FAULT_PRAGMAS: changes.join() } }
}

function importing(file: string, options: ServiceOptions): ServiceOptions {
  const before = options.env?.NODE_OPTIONS ?? ''
  return { ...options, env: { ...options.env, NODE_OPTIONS: `${before} --import=${file}`.trim() } }
}

/** Loads its code and waits for a line on stdin to start. */
export function standbyOptions(defect: Defect = 'none'): ServiceOptions {
  const options = serviceOptions(defect)
  return { ...options, waits: true, env: { ...options.env, FAULT_WAITS: '1' } }
}

/** Some records cannot be sent; see `withUnreadableRecords`. */
export function unreadableOptions(options = serviceOptions()): ServiceOptions {
  return { ...options, env: { ...options.env, FAULT_UNREADABLE: '1' } }
}

/** Kills itself at a commit; see `killedAtCommit`. */
export function killedAtCommitOptions(
  atCommit: number,
  options = serviceOptions(),
): ServiceOptions {
  return { ...options, env: { ...options.env, FAULT_KILL_AT_COMMIT: String(atCommit) } }
}
