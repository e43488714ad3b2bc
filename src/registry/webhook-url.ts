// Webhooks may only connect to web servers on the public internet; otherwise an operator could make
// the service call hosts behind its firewall (SSRF). Names are checked by their form here; the
// addresses that they resolve to are checked with isPublicAddress at every delivery, because they
// can change.

import { BlockList, isIP } from 'node:net'
import { invalid, type RegistryReject } from './reject.ts'
import { addressLengthMax } from './text-checks.ts'

// The special-purpose registries of IANA, and an address of Azure that looks public.
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
// IANA allocates global unicast addresses from this range only. All forms of IPv4 in IPv6 are
// outside of it (mapped, compatible, translated) or excluded below (Teredo in 2001::/23, 6to4 in
// 2002::/16).
const allocated6 = blockList('ipv6', [['2000::', 3]])
const notPublic6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3ffe::', 16],
  ['3fff::', 20],
])

/** Suffixes of names on private networks, which public DNS does not have. */
const privateEndings = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'home.arpa',
  'corp',
  'home',
  'lan',
  'intranet',
  'private',
  // Inside clusters: Kubernetes, Docker, Consul, Nomad.
  'svc',
  'cluster',
  'docker',
  'consul',
  'nomad',
]

/** Below, ports belong to the protocols of the system: only those of the web are allowed. */
const freePortMin = 1_024
const webPorts: readonly number[] = [80, 443]
/** Ports from there on that are known for databases, queues, control planes, or other protocols. */
const otherPorts: ReadonlySet<number> = new Set([
  // Databases and caches.
  1_433, 1_434, 1_521, 3_306, 5_432, 5_984, 6_379, 9_042, 9_200, 9_300, 11_211, 26_257, 26_379,
  27_017, 27_018, 27_019,
  // Queues.
  1_883, 4_222, 5_672, 9_092,
  // Docker, etcd, ZooKeeper, Kubernetes.
  2_375, 2_376, 2_379, 2_380, 2_181, 6_443, 10_250, 10_255,
  // NFS, remote desktops, and what browsers refuse to connect to: telephony, X11, IRC and others.
  2_049, 3_389, 5_900, 1_719, 1_720, 1_723, 3_659, 4_045, 4_190, 5_060, 5_061, 6_000, 6_566, 6_665,
  6_666, 6_667, 6_668, 6_669, 6_679, 6_697, 10_080,
])

/** Whether a text is an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic4.check(address, 'ipv4')
  // An address with a zone is local to a network interface.
  if (family !== 6 || address.includes('%')) return false
  return allocated6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

/** For the hostname of a parsed URL, in which unusual spellings of addresses are normalized. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  // A name without a dot or with an empty label can only exist on a private network.
  const parts = host.split('.')
  if (parts.length < 2 || parts.includes('')) return false
  return !privateEndings.some((ending) => `.${host}`.endsWith(`.${ending}`))
}

/** A text that names the rule, or null for a port that a web server may have. */
function portError(port: number): string | null {
  const isWeb = port < freePortMin ? webPorts.includes(port) : !otherPorts.has(port)
  if (isWeb) return null
  const allowed = `${webPorts.join(', ')}, or from ${freePortMin} on and not of another protocol`
  return `must have a port of a web server (${allowed}), got ${port}`
}

/** null if a webhook may have this URL. */
export function checkWebhookUrl(
  text: string,
  { allowInsecure }: { allowInsecure: boolean },
): RegistryReject | null {
  const rejected = (message: string) => invalid('url', message)
  if (text.length > addressLengthMax) {
    return rejected(`must have at most ${addressLengthMax} characters, got ${text.length}`)
  }
  // URL parsers disagree about these characters, and the checked URL must be the one that is
  // called.
  if (!/^[!-[\]-~]+$/.test(text)) {
    return rejected('must not be empty or contain spaces, backslashes or non-ASCII characters')
  }
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return rejected('must be an absolute URL')
  const isHttps = url.protocol === 'https:'
  if (!isHttps && !(allowInsecure && url.protocol === 'http:')) return rejected('must use https')
  if (url.username !== '' || url.password !== '') {
    return rejected('must not contain a user name or a password')
  }
  if (!allowInsecure && !isPublicHost(url.hostname)) {
    return rejected('must have a host on the public internet')
  }
  // Empty for the port of the scheme.
  const port = url.port === '' || allowInsecure ? null : portError(Number(url.port))
  return port === null ? null : rejected(port)
}

function blockList(family: 'ipv4' | 'ipv6', nets: readonly (readonly [string, number])[]) {
  const list = new BlockList()
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family)
  return list
}
