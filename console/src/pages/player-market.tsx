// The market and outcome of a record on the page of a player.

import { hrefOf } from '../route.ts'
import type { Market } from '../wire.ts'

export type Markets = Readonly<Record<string, Market>>

type MarketRef = { readonly marketId: string; readonly outcomeId: string }

export function MarketName({ of, markets }: { of: MarketRef; markets: Markets }) {
  const market = markets[of.marketId]
  const outcome = market?.outcomes.find(({ id }) => id === of.outcomeId)
  return (
    <>
      <a href={hrefOf(`/markets/${of.marketId}`)}>{market?.title ?? 'A market'}</a>
      <small>{outcome?.name}</small>
    </>
  )
}
