// How the examples connect: with the address and the key that the first start of the service
// prints. If that is not possible, they end with one line.

import { isOutcryError, OutcryClient } from '../client/src/outcry.ts'

/** The client, after a first request with its key. */
export async function connect(): Promise<OutcryClient> {
  const { URL: baseUrl = 'http://127.0.0.1:8084' } = process.env
  const apiKey = needed('KEY', 'the key of an operator, which the first start prints')
  try {
    const client = new OutcryClient({ baseUrl, apiKey })
    // Never repeated, so that a wrong address is noticed at once.
    await client.health()
    await client.markets.list({ limit: 1 })
    return client
  } catch (error) {
    if (!(isOutcryError(error) || error instanceof TypeError)) throw error
    return end(`Cannot use ${baseUrl} with this KEY: ${error.message}`)
  }
}

/** The value of an environment variable. */
export function needed(name: string, meaning: string): string {
  return process.env[name] || end(`${name} is missing: set it to ${meaning}.`)
}

/** For what a newcomer can change: one line instead of a stack. */
export function end(line: string): never {
  console.error(line)
  process.exit(1)
}
