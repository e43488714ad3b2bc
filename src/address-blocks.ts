// IP addresses in one spelling, and blocks of them.

import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'

/** Addresses whose first bits are the same. */
export type AddressBlock = {
  readonly address: string
  /** How many bits are the same. */
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** Of an address, or of a block in CIDR notation; null for any other text. */
export function addressBlockIn(text: string): AddressBlock | null {
  const [, address = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (isIP(address) === 0) return null
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const bits = family === 'ipv4' ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  return prefix <= bits ? { address, prefix, family } : null
}

/** Whether an address is in one of the blocks. */
export function membershipOf(blocks: readonly AddressBlock[]): (address: string) => boolean {
  const list = new BlockList()
  for (const { address, prefix, family } of blocks) list.addSubnet(address, prefix, family)
  return (address) => {
    if (isIPv4(address)) return list.check(address, 'ipv4')
    return isIPv6(address) && list.check(address, 'ipv6')
  }
}

/** IPv6 has many spellings of an address, one of them for IPv4; null if the text is none. */
export function canonicalAddress(text: string): string | null {
  if (isIPv4(text)) return text
  const address = text.replace(/%[\w.-]+$/, '')
  if (!isIPv6(address)) return null
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1] ?? canonical
}
