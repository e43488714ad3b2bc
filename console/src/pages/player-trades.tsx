// The trades of a player: whether it bought or sold, and the role and the fee of both sides.

import { useRef } from 'preact/hooks'
import { isOutcryError } from '../../../client/src/outcry.ts'
import { exchange } from '../exchange.ts'
import { dateTime, grouped, inWords } from '../figures.ts'
import { type Loaded, useLoaded } from '../loaded.ts'
import { Money, Price } from '../parts/figure.tsx'
import { type Column, Heads } from '../parts/heads.tsx'
import { Empty, LoadState } from '../parts/panel.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import type { Order, OrderPage, Trade, TradePage } from '../wire.ts'
import { MarketName, type Markets } from './player-market.tsx'

const columns: readonly Column[] = [
  'Market',
  'Side',
  ['Price', 'number'],
  ['Shares', 'number'],
  ['Buyer', 'wide-only'],
  ['Seller', 'wide-only'],
  ['Time', 'wide-only'],
]

type Props = {
  readonly playerId: string
  readonly trades: Loaded<TradePage>
  /** The latest of the player. */
  readonly orders: Loaded<OrderPage>
  readonly markets: Markets
}

export function PlayerTrades({ playerId, trades, orders, markets }: Props) {
  const sides = useSides(playerId, trades.data?.trades ?? [], orders.data?.orders ?? [])
  if (trades.data === null) return <LoadState of={trades} what="Trades" />
  if (trades.data.trades.length === 0) return <Empty>No trades.</Empty>
  return (
    <Scroller name="Trades of the player">
      <table class="table compact">
        <Heads columns={columns} />
        <tbody>
          {trades.data.trades.map((trade) => (
            <tr key={trade.id}>
              <th scope="row">
                <MarketName of={trade} markets={markets} />
                <small>
                  <span class="narrow-only">
                    Buyer {trade.buyerRole.toLowerCase()}, seller {trade.sellerRole.toLowerCase()}
                    <br />
                    {dateTime(trade.createdAt)}
                  </span>
                </small>
              </th>
              <SideCell side={sides[trade.id]} />
              <td class="number">
                <Price value={Number(trade.price)} />
              </td>
              <td class="number">{grouped(trade.shares)}</td>
              <PartyCell role={trade.buyerRole} fee={trade.buyerFee} />
              <PartyCell role={trade.sellerRole} fee={trade.sellerFee} />
              <td class="wide-only one-line">{dateTime(trade.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Latest page={trades.data} count={trades.data.trades.length} />
    </Scroller>
  )
}

type PartyProps = { readonly role: Trade['buyerRole']; readonly fee: string }

/** An issuer is no player, and pays no fee. */
function PartyCell({ role, fee }: PartyProps) {
  return (
    <td class="wide-only one-line">
      {inWords(role)}
      {role === 'ISSUER' ? null : (
        <small>
          Fee <Money of={fee} />
        </small>
      )}
    </td>
  )
}

type Side = 'BUY' | 'SELL' | 'BOTH'
type Sides = Readonly<Record<string, Side>>

const sideWords = { BUY: 'Buy', SELL: 'Sell', BOTH: 'Both' } as const

function SideCell({ side }: { side: Side | undefined }) {
  if (side === undefined) return <td>–</td>
  const shade = { BUY: 'bid', SELL: 'ask', BOTH: '' }[side]
  return <td class={shade}>{sideWords[side]}</td>
}

/** A trade names orders, not players. Of an older one, the buyer's order is asked for, once. */
function useSides(playerId: string, trades: readonly Trade[], orders: readonly Order[]): Sides {
  const asked = useRef(new Map<string, Side>())
  const own = new Set(orders.map(({ id }) => id))
  const known = trades.map((trade) => [trade.id, sideOf(trade, own)] as const)
  const unknown = trades.filter((_, at) => known[at]?.[1] === null)
  const found = useLoaded(async () => {
    const ask = async ({ id, buyOrderId }: Trade) => {
      const side = asked.current.get(id) ?? (await askedSide(playerId, buyOrderId))
      asked.current.set(id, side)
      return [id, side] as const
    }
    return Object.fromEntries(await Promise.all(unknown.map(ask)))
  }, [playerId, unknown.map(({ id }) => id).join()])
  const sides = Object.fromEntries(known.filter(([, side]) => side !== null)) as Sides
  return { ...found.data, ...sides }
}

function sideOf(
  { buyOrderId, sellOrderId, buyerRole, sellerRole }: Trade,
  own: ReadonlySet<string>,
): Side | null {
  if (own.has(buyOrderId)) return own.has(sellOrderId) ? 'BOTH' : 'BUY'
  if (own.has(sellOrderId) || buyerRole === 'ISSUER') return 'SELL'
  return sellerRole === 'ISSUER' ? 'BUY' : null
}

async function askedSide(playerId: string, buyOrderId: string): Promise<Side> {
  try {
    const order = await exchange().orders.get(buyOrderId)
    return order.playerId === playerId ? 'BUY' : 'SELL'
  } catch (error) {
    // That of another operator is not found.
    if (isOutcryError(error, 'ORDER_NOT_FOUND')) return 'SELL'
    throw error
  }
}
