// The limits of a player, in words.

export const limitNames = ['maxOrderCost', 'maxOutcomeShares', 'maxMarketCost'] as const
export type LimitName = (typeof limitNames)[number]

export const limitWords: Readonly<Record<LimitName, { readonly name: string; about: string }>> = {
  maxOrderCost: { name: 'Cost of one order', about: 'Of a BUY order or of minted sets.' },
  maxOutcomeShares: {
    name: 'Shares of one outcome',
    about: 'Held, and wanted by open BUY orders.',
  },
  maxMarketCost: { name: 'Cost in one market', about: 'Of positions and open BUY orders.' },
}
