// The roles of the two sides of a trade. They are not stored: they follow from the kind of the
// trade, the side of its order, and whether that order was the incoming one.

import type { PartyRole, TradeKind } from '../words.ts'

export type PartyRoles = { readonly buyerRole: PartyRole; readonly sellerRole: PartyRole }

/** One order of a trade; in a leg of a match by complete sets, its only one. */
export type TradeParty = {
  readonly kind: TradeKind
  readonly isSell: boolean
  readonly isIncoming: boolean
}

export function partyRolesOf({ kind, isSell, isIncoming }: TradeParty): PartyRoles {
  const own = isIncoming ? 'TAKER' : 'MAKER'
  const other = kind !== 'DIRECT' ? 'ISSUER' : isIncoming ? 'MAKER' : 'TAKER'
  return isSell ? { buyerRole: other, sellerRole: own } : { buyerRole: own, sellerRole: other }
}
