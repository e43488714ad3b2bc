// All attacks. Each has a test of its own beside it; a siege runs them together.

import { bookWalks } from './book-walks.ts'
import { connections } from './connections.ts'
import { emptyCancels } from './empty-cancels.ts'
import { filteredLists } from './filtered-lists.ts'
import { largeBodies } from './large-bodies.ts'
import { largeMarkets } from './large-markets.ts'
import { largeMints } from './large-mints.ts'
import { largeReplays } from './large-replays.ts'
import { publicDocuments } from './public-documents.ts'
import { refusedKeys, refusedOrders, refusedReads } from './refusals.ts'
import { resubscriptions } from './resubscriptions.ts'
import { slowReaders } from './slow-readers.ts'
import type { Attack } from './support/attack.ts'
import { sweeps } from './sweeps.ts'

export const attacks: readonly Attack[] = [
  sweeps,
  bookWalks,
  filteredLists,
  emptyCancels,
  largeMints,
  largeMarkets,
  largeBodies,
  largeReplays,
  resubscriptions,
  publicDocuments,
  slowReaders,
  connections,
  refusedOrders,
  refusedReads,
  refusedKeys,
]

export function attackNamed(name: string): Attack {
  const attack = attacks.find((one) => one.name === name)
  if (attack === undefined) {
    throw new Error(`Unknown attack '${name}'; known: ${attacks.map((one) => one.name).join(', ')}`)
  }
  return attack
}
