// The page of a player: value and profit, exposure, positions and what they pay, orders, trades and
// settlements.

import { DeadManPanel } from '../controls/dead-man-panel.tsx'
import { OrderGroupsPanel } from '../controls/order-groups-panel.tsx'
import { PlayerBrakePanel } from '../controls/player-brake.tsx'
import { PlayerLimitsPanel } from '../controls/player-limits.tsx'
import { exchange } from '../exchange.ts'
import { dateTime, grouped, money } from '../figures.ts'
import { useEvents } from '../live/events.ts'
import { type Loaded, useLoaded, useThrottled } from '../loaded.ts'
import { ValueCells } from '../market/positions.tsx'
import { CsvDownload } from '../parts/csv-download.tsx'
import { Money, Price, Stat } from '../parts/figure.tsx'
import { type Column, Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Latest, Scroller } from '../parts/scroller.tsx'
import { Status } from '../parts/status.tsx'
import { hrefOf } from '../route.ts'
import type { Exposure, OrderPage, PositionPage, SettlementPage, Valuation } from '../wire.ts'
import { MarketName, type Markets } from './player-market.tsx'
import { PlayerPayouts } from './player-payouts.tsx'
import { PlayerTrades } from './player-trades.tsx'

const positionColumns: readonly Column[] = [
  'Market',
  ['Shares', 'number'],
  ['Reserved', 'number wide-only'],
  ['Average price', 'number wide-only'],
  ['Value', 'number'],
  ['Unrealised P&L', 'number wide-only'],
  ['Realised P&L', 'number wide-only'],
  ['Total P&L', 'number'],
  ['Pays if it wins', 'number wide-only'],
]
const shownMax = 50
/** More, so that the payouts of a market have all positions in it. */
const positionsMax = 200
const marketsMax = 40
const reloadMs = 1_000

export function PlayerPage({ playerId }: { playerId: string }) {
  const query = { playerId, limit: shownMax }
  const { players, positions: holdings, orders: placed, trades: made, settlements } = exchange()
  const brake = useLoaded(() => players.controls(playerId), [playerId])
  const valuation = useLoaded(() => players.valuation(playerId), [playerId])
  const exposure = useLoaded(() => players.exposure(playerId), [playerId])
  const positions = useLoaded(() => holdings.page({ playerId, limit: positionsMax }), [playerId])
  const orders = useLoaded(() => placed.list(query), [playerId])
  const trades = useLoaded(() => made.list(query), [playerId])
  const paid = useLoaded(() => settlements.page(query), [playerId])
  const all = [brake, valuation, exposure, positions, orders, trades, paid]
  const reload = useThrottled(() => {
    for (const each of all) each.reload()
  }, reloadMs)
  useEvents((event) => {
    if (event === null || event.payload.playerId === playerId) reload()
  })
  const markets = useMarkets([
    ...(positions.data?.positions ?? []),
    ...(orders.data?.orders ?? []),
    ...(trades.data?.trades ?? []),
    ...(paid.data?.settlements ?? []),
    ...(brake.data?.usage.markets ?? []),
  ])
  return (
    <Page title={playerId} above={<Back />}>
      <div class="halves">
        <PlayerBrakePanel playerId={playerId} of={brake} />
        <DeadManPanel playerId={playerId} />
      </div>
      <OrderGroupsPanel playerId={playerId} />
      <Panel title="Value">
        {valuation.data === null ? (
          <LoadState of={valuation} what="Values" />
        ) : (
          <ValuationView valuation={valuation.data} />
        )}
      </Panel>
      <Panel title="Exposure">
        {exposure.data === null ? (
          <LoadState of={exposure} what="Exposures" />
        ) : (
          <ExposureView exposure={exposure.data} />
        )}
      </Panel>
      <Panel
        title="Positions"
        kind="holdings"
        tools={
          <CsvDownload name="positions" pages={(options) => holdings.csv({ playerId }, options)} />
        }
      >
        <PositionTable positions={positions} markets={markets} />
      </Panel>
      <Panel title="If an outcome wins" kind="holdings">
        <PlayerPayouts positions={positions} markets={markets} />
      </Panel>
      <PlayerLimitsPanel playerId={playerId} of={brake} markets={markets} />
      <Panel
        title="Orders"
        kind="holdings"
        tools={<CsvDownload name="orders" pages={(options) => placed.csv({ playerId }, options)} />}
      >
        <OrderTable orders={orders} markets={markets} />
      </Panel>
      <Panel
        title="Trades"
        kind="holdings"
        tools={<CsvDownload name="trades" pages={(options) => made.csv({ playerId }, options)} />}
      >
        <PlayerTrades playerId={playerId} trades={trades} orders={orders} markets={markets} />
      </Panel>
      <Panel
        title="Settlements"
        kind="holdings"
        tools={
          <CsvDownload
            name="settlements"
            pages={(options) => settlements.csv({ playerId }, options)}
          />
        }
      >
        <SettlementTable settlements={paid} markets={markets} />
      </Panel>
    </Page>
  )
}

function Back() {
  return (
    <a class="back" href={hrefOf('/players')}>
      Players
    </a>
  )
}

function ValuationView({ valuation }: { valuation: Valuation }) {
  if (valuation.currencies.length === 0) return <Empty>The player has had no positions.</Empty>
  return (
    <>
      {valuation.currencies.map((each) => (
        <dl class="stats" key={each.currency}>
          <Stat name="Value of positions" value={money(each.value)} more={each.currency} />
          <Stat name="Cost" value={money(each.totalCost)} more={each.currency} />
          <Stat name="Unrealised P&L" value={money(each.unrealizedPnl)} more={each.currency} />
          <Stat name="Realised P&L" value={money(each.realizedPnl)} more={each.currency} />
          <Stat name="Total P&L" value={money(each.totalPnl)} more={each.currency} />
        </dl>
      ))}
    </>
  )
}

/** The markets of these records, up to a maximum. */
function useMarkets(records: readonly { readonly marketId: string }[]): Markets {
  const ids = [...new Set(records.map(({ marketId }) => marketId))].slice(0, marketsMax)
  const load = async () => {
    const markets = await Promise.all(ids.map((id) => exchange().markets.get(id)))
    return Object.fromEntries(markets.map((market) => [market.id, market]))
  }
  return useLoaded(load, [ids.join()]).data ?? {}
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
              <ValueCells position={position} />
            </tr>
          ))}
        </tbody>
      </table>
      <Latest page={positions.data} count={positionsMax} />
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
              <td class="number">
                {grouped(order.shares)}
                {order.amount === null ? null : <small>for up to {money(order.amount)}</small>}
              </td>
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
      <Latest page={orders.data} count={shownMax} />
    </Scroller>
  )
}

type SettlementTableProps = { settlements: Loaded<SettlementPage>; markets: Markets }

function SettlementTable({ settlements, markets }: SettlementTableProps) {
  if (settlements.data === null) return <LoadState of={settlements} what="Settlements" />
  if (settlements.data.settlements.length === 0) return <Empty>No settlements.</Empty>
  return (
    <Scroller name="Settlements of the player">
      <table class="table compact">
        <Heads
          columns={[
            'Market',
            ['Shares', 'number'],
            ['Payout', 'number'],
            'State',
            ['Created', 'wide-only'],
          ]}
        />
        <tbody>
          {settlements.data.settlements.map((settlement) => (
            <tr key={settlement.id}>
              <th scope="row">
                <MarketName of={settlement} markets={markets} />
              </th>
              <td class="number">{grouped(settlement.shares)}</td>
              <td class="number">
                <Money of={settlement.totalPayout} />
              </td>
              <td>
                <Status of={settlement.status} />
              </td>
              <td class="wide-only">{dateTime(settlement.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Latest page={settlements.data} count={shownMax} />
    </Scroller>
  )
}
