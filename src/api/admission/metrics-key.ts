// Who may read the metrics: everybody or, if there is a key, those who send it.

import type { IncomingHttpHeaders } from 'node:http'
import { isSameKey } from '../../registry/key-files.ts'
import { Refusal } from '../errors.ts'

export const noMetricsKey = new Refusal(
  'UNAUTHORIZED',
  'The metrics need their key; send it as a bearer token or as X-Metrics-Key.',
)
/** With a refusal, as the standard of bearer tokens wants it. */
export const metricsChallenge = ['www-authenticate', 'Bearer'] as const

export type MetricsCheck = (headers: IncomingHttpHeaders) => boolean

export function metricsCheck(key: string | null): MetricsCheck {
  if (key === null) return () => true
  const isKey = isSameKey(key)
  return (headers) => {
    const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    return [token, headers['x-metrics-key']].some(
      (given) => typeof given === 'string' && isKey(given),
    )
  }
}
