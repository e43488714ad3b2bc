// The last resort: exceptions and rejected promises that no edge has caught. The process continues:
// the engine catches what fails in its own turns and discards its memory then, so whatever arrives
// here has not changed the state of the exchange. See docs/decisions/0016-failures-at-the-edges.md.

import type { ReportFailure } from './edge-failures.ts'

export function onUncaught(reportFailure: ReportFailure): void {
  process.on('uncaughtException', (error) => {
    reportFailure('process', 'uncaught exception', { error })
  })
  process.on('unhandledRejection', (error) => {
    reportFailure('process', 'unhandled rejection', { error })
  })
}
