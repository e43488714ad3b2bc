// The metrics on a port of their own, for the process that opens it.

import { metricsCheck } from '../api/admission/metrics-key.ts'
import type { MetricsSource } from '../api/http/metrics-page.ts'
import { MetricsServer } from '../api/http/metrics-server.ts'
import type { Config } from '../config.ts'
import type { ReportFailure } from '../ops/edge-failures.ts'
import type { Opening } from './listen.ts'

export type MetricsPort = {
  /** None if the metrics are served on the port for REST. */
  readonly openings: readonly Opening[]
  close(): Promise<void>
}

export function metricsPortOf(
  { host, metricsKey, metricsPort: port }: Config,
  metrics: MetricsSource,
  reportFailure: ReportFailure,
): MetricsPort {
  if (port === null) return noMetricsPort
  const isAllowed = metricsCheck(metricsKey)
  const server = new MetricsServer({ metrics, isAllowed, reportFailure })
  const open = (wanted: number) => server.listen({ host, port: wanted })
  return {
    openings: [{ setting: 'METRICS_PORT', port, open }],
    close: () => server.close(),
  }
}

export const noMetricsPort: MetricsPort = { openings: [], close: async () => undefined }
