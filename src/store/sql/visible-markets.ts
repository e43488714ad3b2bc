// The rule of core/state/access.ts in SQL: the markets that an operator sees. A test compares the
// two over all combinations.

import { isPublic } from '../../core/state/access.ts'
import { marketStatuses } from '../../core/words.ts'
import { Where } from './where.ts'

const publicStatuses = marketStatuses.flatMap((status, number) =>
  isPublic({ status }) ? [number] : [],
)

type Viewer = {
  readonly operatorNumber: number
  /** The currencies in which it sees shared markets of others; null to leave those out. */
  readonly sharedIn: readonly string[] | null
}

/** Each market that the operator sees is in exactly one of the parts, and each has its index. */
export function visibleMarkets({ operatorNumber, sharedIn }: Viewer): VisiblePart[] {
  const own = {
    source: 'markets INDEXED BY markets_by_owner',
    where: new Where().and('owner_number = ?', operatorNumber),
  }
  if (sharedIn === null) return [own]
  const shared = {
    source: 'markets INDEXED BY markets_shared',
    where: new Where()
      .and('is_shared = 1')
      .and('owner_number <> ?', operatorNumber)
      .and(`status IN (${publicStatuses.join(', ')})`)
      .andAmong('currency', sharedIn),
  }
  return [own, shared]
}

export type VisiblePart = { readonly source: string; readonly where: Where }
