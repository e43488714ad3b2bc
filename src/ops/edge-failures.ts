// Failures that are caught at an edge of the service, where nothing above could handle them: a
// request, a connection, a listener, a timer. Each is logged and counted, and ends nothing else.

import type { Log, LogFields } from './log.ts'

export type Edge =
  /** A request or a connection over HTTP. */
  | 'rest'
  /** A WebSocket connection. */
  | 'stream'
  /** A gRPC call. */
  | 'grpc'
  /** A listener to committed turns. */
  | 'listener'
  /** Deliveries to webhooks, and the other work of the feed. */
  | 'feed'
  /** The engine: a turn that violated an invariant, or a failure between turns. */
  | 'engine'
  /** An exception or a rejected promise that no other edge has caught. */
  | 'process'

type Failure = LogFields & { readonly error: unknown; readonly edge?: never }

/** `event` names what failed, as every line of the log does. */
export type ReportFailure = (edge: Edge, event: string, failure: Failure) => void

type Sinks = {
  readonly log: Pick<Log, 'error'>
  readonly metrics: { edgeFailed(edge: Edge): void }
}

export function failureReporter({ log, metrics }: Sinks): ReportFailure {
  return (edge, event, failure) => {
    metrics.edgeFailed(edge)
    log.error(event, { ...failure, edge })
  }
}
