// Whether this machine can listen on a host at all, whatever the port.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Completes the sentence "HOST is ...", or null where all is well. */
export async function hostFault(host: string): Promise<string | null> {
  const server = createServer()
  try {
    await once(server.listen({ host, port: 0 }), 'listening')
  } catch (error) {
    const isLookup = error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo'
    return isLookup ? 'a name that leads to no address' : 'no address of this machine'
  }
  server.close()
  await once(server, 'close')
  return null
}
