// DNS resolution of webhook hosts.

import { lookup, Resolver } from 'node:dns/promises'

/** All IPv4 and IPv6 addresses of a name; throws if it cannot be resolved. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const queryMs = 2_000
const queriesMax = 2

/**
 * Queries the name servers directly, without libuv's thread pool, which slow names would block.
 * The hosts file of the machine is ignored on purpose.
 */
export function publicResolve(): Resolve {
  const resolver = new Resolver({ timeout: queryMs, tries: queriesMax })
  return async (hostname) => {
    const found = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    const failed = found.find((each) => each.status === 'rejected')
    if (addresses.length === 0 && failed !== undefined) throw failed.reason
    return addresses
  }
}

/** Resolves like other programs of the machine, hosts file included. For development. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
