// What the processes of the link tests agree on.

import { type Identity, linkProtocol } from '../../../src/cluster/link/messages.ts'

/** How the owner ends the commands of each shard. */
export const shards = {
  answering: 0,
  silent: 1,
  unavailable: 2,
  unknown: 3,
  moved: 4,
  broken: 5,
} as const

export type OwnerSettings = {
  readonly address: string
  readonly secret?: string
  readonly identity?: Partial<Identity>
}

export function identityOf(given: Partial<Identity> & { readonly nodeId: string }): Identity {
  return { incarnation: '1', protocol: linkProtocol, settingsHash: 'same', ...given }
}
