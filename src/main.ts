// The process: starts the service, prints what it prints, and ends with an exit code.

import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import { FrontEndFailed } from './cluster/front-ends/supervisor.ts'
import { LinksCannotListen } from './cluster/link/link-server.ts'
import { ConfigError, readConfig } from './config.ts'
import { PortsCannotOpen } from './ops/ports.ts'
import { makeFilesPrivate } from './ops/private-files.ts'
import { onStopSignal } from './ops/signals.ts'
import { onUncaught } from './ops/uncaught.ts'
import { KeyFileError } from './registry/key-files.ts'
import { SetupProblem, StoreCannotOpen } from './store/start-errors.ts'
import { StoreUnavailable } from './store/store.ts'
import { exitCodes } from './wiring/exit-codes.ts'
import { FrontEndProcess } from './wiring/front-end.ts'
import { startPrimary } from './wiring/primary.ts'
import { startService } from './wiring/start.ts'

const nodeVersionMin = 24

/** The line to print, and the exit code. */
function startFailure(error: unknown): { readonly line: string; readonly code: number } {
  if (error instanceof ConfigError || error instanceof SetupProblem) {
    return { line: error.message, code: exitCodes.invalidSetting }
  }
  const code = exitCodes.cannotStart
  if (error instanceof FrontEndFailed) return { line: error.message, code: error.code ?? code }
  const oneLineErrors = [
    StoreCannotOpen,
    StoreUnavailable,
    KeyFileError,
    PortsCannotOpen,
    LinksCannotListen,
  ]
  if (error instanceof Error && oneLineErrors.some((kind) => error instanceof kind)) {
    return { line: error.message, code }
  }
  return { line: error instanceof Error ? (error.stack ?? error.message) : String(error), code }
}

async function main(): Promise<void> {
  // The primary has read the same settings.
  const isFrontEnd = cluster.isWorker && Number(process.env.FRONT_ENDS) > 0
  const frontEnd = isFrontEnd ? new FrontEndProcess() : null
  try {
    if (Number.parseInt(process.versions.node, 10) < nodeVersionMin) {
      throw new ConfigError(
        `Node.js must be version ${nodeVersionMin} or newer, got ${process.version}.`,
      )
    }
    makeFilesPrivate()
    const config = readConfig(process.env)
    const start = config.frontEnds === 0 ? startService : startPrimary
    const service = await (frontEnd?.start(config) ?? start(config))
    onUncaught(service.reportFailure)
    const stop = onStopSignal({
      stop: () => service.stop(),
      exit: (code) => process.exit(code),
    })
    frontEnd?.onStop(stop)
    // Last: a program that waits for this message may stop the service at once.
    if (frontEnd === null) process.stdout.write(service.startMessage)
    // Writes the compiled code to NODE_COMPILE_CACHE, if it is set, for the next start.
    flushCompileCache()
  } catch (error) {
    const { line, code } = startFailure(error)
    if (frontEnd === null) process.stderr.write(`${line}\n`)
    await frontEnd?.reportFailure(line, code)
    process.exit(code)
  }
}

if (import.meta.main) await main()
