// How two nodes prove to each other that they have the secrets key, and agree that they fit. The
// proofs cover both nonces and both identities, so none can be used again or sent back.

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Challenge, Hello, Identity } from './messages.ts'

/** The key of the proofs; the secrets key itself is used for nothing else here. */
export function linkKey(secretsKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', 'outcry cluster', 32))
}

export type Role = 'caller' | 'called'

type Proven = {
  readonly role: Role
  readonly challenge: Challenge
  readonly hello: Omit<Hello, 'mac'>
}

/** What a side sends to prove that it has the key. */
export function proofOf(key: Buffer, { role, challenge, hello }: Proven): string {
  const parts = [role, ...partsOf(challenge), ...partsOf(hello)]
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}

function partsOf(side: Identity & { readonly nonce: string }): readonly (string | number)[] {
  return [side.nonce, side.nodeId, side.incarnation, side.protocol, side.settingsHash]
}

export function isProof(key: Buffer, proven: Proven, mac: unknown): boolean {
  if (typeof mac !== 'string') return false
  const expected = Buffer.from(proofOf(key, proven))
  const actual = Buffer.from(mac)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Why two nodes cannot work together; null if they can. */
export function mismatchOf(own: Identity, other: Identity): string | null {
  if (!areProtocolsCompatible(own.protocol, other.protocol)) {
    return `the link protocols ${own.protocol} and ${other.protocol} differ by more than 1`
  }
  if (own.settingsHash !== other.settingsHash) {
    return 'the settings that all nodes must share differ'
  }
  return null
}

/** Whatever another node has sent as its protocol. */
export function areProtocolsCompatible(own: number, other: number): boolean {
  return Math.abs(own - other) <= 1
}

export const wrongKey = 'the other node has a different secrets key'
