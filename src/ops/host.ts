// Whether this machine can listen on a host, on any port.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Completes the sentence "...: this host ...", or null if the machine can listen on it. */
export async function hostProblem(host: string): Promise<string | null> {
  const server = createServer()
  try {
    await once(server.listen({ host, port: 0 }), 'listening')
  } catch (error) {
    const isLookup = error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo'
    return isLookup ? 'has no address' : 'is not an address of this machine'
  }
  server.close()
  await once(server, 'close')
  return null
}
