// Where a webhook may lead: to the public internet and nowhere else, or an operator could have the
// service call what stands behind its firewall. A name is judged here by its form; what it resolves
// to must be judged with isPublicAddress at every delivery, for names change their addresses.

import { BlockList, isIP } from 'node:net'
import { invalid, type RegistryReject } from './reject.ts'
import { addressLengthMax } from './text-checks.ts'

// The registries of special addresses of IANA, and one address of a cloud's own that looks public.
const notPublic4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])
// Only this part of IPv6 is given out. All ways to write an IPv4 address in IPv6 lie outside it
// (mapped, compatible, translated) or in the exceptions (Teredo in 2001::/23, 6to4 in 2002::/16).
const given6 = blockList('ipv6', [['2000::', 3]])
const notPublic6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3ffe::', 16],
  ['3fff::', 20],
])

/** Endings of names on private networks, which the public name system does not have. */
const privateEndings = [
  ...['localhost', 'localdomain', 'local', 'internal', 'home.arpa'],
  ...['corp', 'home', 'lan', 'intranet', 'private'],
]

/** Whether an IP address belongs to the public internet; false for what is no address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic4.check(address, 'ipv4')
  // A zone names a link of this machine.
  if (family !== 6 || address.includes('%')) return false
  return given6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

/** A host as a parsed URL has it: odd spellings of addresses are normal there already. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  // A name without a dot, or with an empty part, is found on a private network or not at all.
  const parts = host.split('.')
  if (parts.length < 2 || parts.includes('')) return false
  return !privateEndings.some((ending) => `.${host}`.endsWith(`.${ending}`))
}

/** null where a webhook may lead there. */
export function webhookUrlFault(
  text: string,
  { allowInsecure }: { allowInsecure: boolean },
): RegistryReject | null {
  const fault = (message: string) => invalid('url', message)
  if (text.length > addressLengthMax) {
    return fault(`${text.length} characters are more than ${addressLengthMax}.`)
  }
  // Parsers disagree about these, and what is judged must be what is called.
  if (!/^[!-[\]-~]+$/.test(text)) {
    return fault('it has characters that a URL does not have: spaces, backslashes or non-ASCII.')
  }
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return fault('it is not a URL.')
  const isHttps = url.protocol === 'https:'
  if (!isHttps && !(allowInsecure && url.protocol === 'http:')) return fault('it is not https.')
  if (url.username !== '' || url.password !== '') return fault('it has a user name or a password.')
  if (!allowInsecure && !isPublicHost(url.hostname)) {
    return fault('it does not lead to the public internet.')
  }
  return null
}

function blockList(family: 'ipv4' | 'ipv6', nets: readonly (readonly [string, number])[]) {
  const list = new BlockList()
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family)
  return list
}
