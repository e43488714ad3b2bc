// For the administrator: the markets of an operator, newest first.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime, grouped } from '../figures.ts'
import { useLoaded } from '../loaded.ts'
import { CsvDownload } from '../parts/csv-download.tsx'
import { Heads } from '../parts/heads.tsx'
import { Pager } from '../parts/pager.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'

const pageSize = 10

export function OperatorMarkets({ operatorId }: { operatorId: string }) {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const cursor = cursors.at(-1)
  const page = useLoaded(
    () => exchange().admin.markets(operatorId, { cursor, limit: pageSize }),
    [operatorId, cursor],
  )
  return (
    <Panel
      title="Markets"
      tools={
        <CsvDownload
          name="markets"
          pages={(options) => exchange().admin.marketsCsv(operatorId, {}, options)}
        />
      }
    >
      {page.data === null ? (
        <LoadState of={page} what="Markets" />
      ) : page.data.markets.length === 0 ? (
        <Empty>No markets yet.</Empty>
      ) : (
        <div class="table-wrap">
          <table class="table">
            <Heads
              columns={[
                'Market',
                'State',
                ['Shares traded', 'number wide-only'],
                ['Trading ends', 'wide-only'],
              ]}
            />
            <tbody>
              {page.data.markets.map((market) => (
                <tr key={market.id}>
                  <th scope="row">
                    {market.title}
                    <small>{market.id}</small>
                  </th>
                  <td>
                    <Status of={market.status} />
                  </td>
                  <td class="number wide-only">{grouped(market.totalVolume)}</td>
                  <td class="wide-only">{dateTime(market.tradingEndsAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Pager
            page={page.data}
            shown={page.data.markets.length}
            {...{ pageSize, cursors, onCursors: setCursors }}
          />
        </div>
      )}
    </Panel>
  )
}
