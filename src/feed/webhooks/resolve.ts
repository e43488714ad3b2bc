// Names to addresses, for deliveries.

import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name, of both families; throws where there is none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const queryMs = 2_000
const queriesMax = 2

/**
 * Asks the name servers without a thread: a name that is slow to resolve holds up nothing else.
 * Names that only this machine knows are not found, nor should they be.
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

/** As every program of this machine resolves: with its own file of hosts. For development. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
