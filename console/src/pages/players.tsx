// The page of a player: exposure, positions and orders.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { grouped, money } from '../figures.ts'
import { type Loaded, useLoaded } from '../loaded.ts'
import { Money, Price, Stat } from '../parts/figure.tsx'
import { TextField } from '../parts/form.tsx'
import { type Column, Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { Status } from '../parts/status.tsx'
import { hrefOf } from '../route.ts'
import type { Exposure, Market, OrderPage, PositionPage } from '../wire.ts'

const positionColumns: readonly Column[] = [
  'Market',
  ['Shares', 'number'],
  ['Reserved', 'number wide-only'],
  ['Average price', 'number wide-only'],
  ['Realised P&L', 'number'],
]
const shownMax = 50
const marketsMax = 20

export function PlayersPage() {
  const [typed, setTyped] = useState('')
  const [playerId, setPlayerId] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    setPlayerId(typed.trim())
  }
  return (
    <Page title="Players">
      <p class="lead">Look up a player by the ID that your backend uses.</p>
      <form class="filters" onSubmit={submit}>
        <TextField name="Player" value={typed} onValue={setTyped} isRequired />
        <button type="submit" class="primary">
          Look up
        </button>
      </form>
      {playerId === '' ? null : <PlayerView key={playerId} playerId={playerId} />}
    </Page>
  )
}

function PlayerView({ playerId }: { playerId: string }) {
  const query = { playerId, limit: shownMax }
  const exposure = useLoaded(() => exchange().players.exposure(playerId), [playerId])
  const positions = useLoaded(() => exchange().positions.page(query), [playerId])
  const orders = useLoaded(() => exchange().orders.list(query), [playerId])
  const markets = useMarkets([...(positions.data?.positions ?? []), ...(orders.data?.orders ?? [])])
  return (
    <>
      <Panel title="Exposure">
        {exposure.data === null ? (
          <LoadState of={exposure} what="Exposures" />
        ) : (
          <ExposureView exposure={exposure.data} />
        )}
      </Panel>
      <Panel title="Positions" kind="holdings">
        <PositionTable positions={positions} markets={markets} />
      </Panel>
      <Panel title="Latest orders" kind="holdings">
        <OrderTable orders={orders} markets={markets} />
      </Panel>
    </>
  )
}

type Markets = Readonly<Record<string, Market>>

/** The markets of these records, up to a maximum. */
function useMarkets(records: readonly { readonly marketId: string }[]): Markets {
  const ids = [...new Set(records.map(({ marketId }) => marketId))].slice(0, marketsMax)
  const load = async () => {
    const markets = await Promise.all(ids.map((id) => exchange().markets.get(id)))
    return Object.fromEntries(markets.map((market) => [market.id, market]))
  }
  return useLoaded(load, [ids.join()]).data ?? {}
}

type MarketRef = { readonly marketId: string; readonly outcomeId: string }

function MarketName({ of, markets }: { of: MarketRef; markets: Markets }) {
  const market = markets[of.marketId]
  const outcome = market?.outcomes.find(({ id }) => id === of.outcomeId)
  return (
    <>
      <a href={hrefOf(`/markets/${of.marketId}`)}>{market?.title ?? 'A market'}</a>
      <small>{outcome?.name}</small>
    </>
  )
}

function ExposureView({ exposure }: { exposure: Exposure }) {
  if (exposure.currencies.length === 0) return <Empty>No funds need to be locked.</Empty>
  return (
    <>
      {exposure.currencies.map(({ currency, openBuyCost, openBuyFees, positionsCost }) => (
        <dl class="stats" key={currency}>
          <Stat name="Open BUY orders" value={money(openBuyCost)} more={currency} />
          <Stat name="Fees of open BUY orders" value={money(openBuyFees)} more={currency} />
          <Stat name="Cost of positions" value={money(positionsCost)} more={currency} />
        </dl>
      ))}
    </>
  )
}

function PositionTable({
  positions,
  markets,
}: {
  positions: Loaded<PositionPage>
  markets: Markets
}) {
  if (positions.data === null) return <LoadState of={positions} what="Positions" />
  if (positions.data.positions.length === 0) return <Empty>No positions.</Empty>
  return (
    <Scroller name="Positions of the player">
      <table class="table compact">
        <Heads columns={positionColumns} />
        <tbody>
          {positions.data.positions.map((position) => (
            <tr key={position.id}>
              <th scope="row">
                <MarketName of={position} markets={markets} />
              </th>
              <td class="number">{grouped(position.shares)}</td>
              <td class="number wide-only">{grouped(position.reservedShares)}</td>
              <td class="number wide-only">{Number(position.avgPrice).toFixed(4)}</td>
              <td class="number">
                <Money of={position.realizedPnl} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

function OrderTable({ orders, markets }: { orders: Loaded<OrderPage>; markets: Markets }) {
  if (orders.data === null) return <LoadState of={orders} what="Orders" />
  if (orders.data.orders.length === 0) return <Empty>No orders.</Empty>
  return (
    <Scroller name="Orders of the player">
      <table class="table compact">
        <Heads columns={['Market', 'Side', ['Shares', 'number'], ['Price', 'number'], 'State']} />
        <tbody>
          {orders.data.orders.map((order) => (
            <tr key={order.id}>
              <th scope="row">
                <MarketName of={order} markets={markets} />
              </th>
              <td class={order.side === 'BUY' ? 'bid' : 'ask'}>
                {order.side === 'BUY' ? 'Buy' : 'Sell'}
              </td>
              <td class="number">{grouped(order.shares)}</td>
              <td class="number">
                {order.price === null ? 'Market' : <Price value={Number(order.price)} />}
              </td>
              <td>
                <Status of={order.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
