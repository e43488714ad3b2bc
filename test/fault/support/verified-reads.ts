// Reads for the checks after a fault. A service that is not ready again yet answers with 503, which
// is repeated; any other refusal is an error with the request and its answer.

import { setTimeout as delay } from 'node:timers/promises'
import type { Json, Requestable } from '../../support/process/outcry-process.ts'

const repeatForMs = 30_000
const repeatAfterMs = 100

/** The data of a successful answer. */
export async function dataAt(
  service: Pick<Requestable, 'request'>,
  path: string,
  key: string | null = null,
): Promise<Json> {
  const deadline = performance.now() + repeatForMs
  for (;;) {
    const { status, body } = await service.request('GET', path, { key })
    if (status === 200) return body.data
    if (status !== 503 || performance.now() > deadline) {
      throw new Error(`The check of GET ${path} got ${status}: ${JSON.stringify(body)}`)
    }
    await delay(repeatAfterMs)
  }
}
