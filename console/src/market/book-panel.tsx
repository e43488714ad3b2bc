// The order book of an outcome: asks above bids, with bars for cumulative shares. The number of
// rows is fixed, so that only the figures change.

import { useEffect, useRef, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { shares } from '../figures.ts'
import { type Book, type Row, withTotals } from '../live/book.ts'
import { useLoaded } from '../loaded.ts'
import { glow, Price } from '../parts/figure.tsx'
import { CheckField } from '../parts/form.tsx'
import { Heads } from '../parts/heads.tsx'
import { Panel } from '../parts/panel.tsx'
import type { Market, Outcome } from '../wire.ts'

const depth = 10

type Props = {
  readonly book: Book | null
  readonly market: Market
  readonly outcome: Outcome
  readonly onPick: (price: number) => void
}

export function BookPanel({ book, market, outcome, onPick }: Props) {
  const [isImplied, setImplied] = useState(false)
  const implied = useImplied(market, outcome, book, isImplied)
  const shown = isImplied && implied !== null ? implied : book
  const bids = withTotals(shown?.bids ?? [], depth)
  const asks = withTotals(shown?.asks ?? [], depth)
  const most = Math.max(1, bids.at(-1)?.total ?? 0, asks.at(-1)?.total ?? 0)
  const [bid, ask] = [shown?.bids[0]?.price, shown?.asks[0]?.price]
  const spread = bid === undefined || ask === undefined ? null : ask - bid
  return (
    <Panel title="Order book" kind="book" tools={<span class="of">{outcome.name}</span>}>
      <table class="book-table">
        <Heads columns={['Price', 'Shares', 'Total']} />
        <Rows side="ask" rows={asks} most={most} onPick={onPick} />
        <tbody>
          <tr class="spread">
            <th scope="row">Spread</th>
            <td colSpan={2}>
              <Price value={spread} />
            </td>
          </tr>
        </tbody>
        <Rows side="bid" rows={bids} most={most} onPick={onPick} />
      </table>
      {market.completeSetMatching ? (
        <CheckField name="Include complete-set matches" isOn={isImplied} onChange={setImplied} />
      ) : null}
    </Panel>
  )
}

/** Implied levels are not streamed: they are loaded again when the book changes. */
function useImplied(market: Market, outcome: Outcome, book: Book | null, isOn: boolean) {
  const query = { implied: true, depth }
  const loaded = useLoaded(
    () => (isOn ? exchange().marketData.orderBook(market.id, outcome.id, query) : null),
    [market.id, outcome.id, isOn, book?.version],
  )
  return loaded.data
}

type RowsProps = {
  readonly side: 'bid' | 'ask'
  readonly rows: readonly Row[]
  readonly most: number
  readonly onPick: (price: number) => void
}

function Rows({ side, rows, most, onPick }: RowsProps) {
  const slots = Array.from({ length: depth }, (_, at) => rows[at])
  // The best ask is the lowest row, next to the best bid.
  if (side === 'ask') slots.reverse()
  return (
    <tbody class={`side ${side}`}>
      {slots.map((row, at) =>
        row === undefined ? (
          <tr key={`empty-${at}`} class="empty">
            <td colSpan={3} />
          </tr>
        ) : (
          <BookRow key={row.price} row={row} most={most} onPick={onPick} />
        ),
      )}
    </tbody>
  )
}

type RowProps = Pick<RowsProps, 'most' | 'onPick'> & { readonly row: Row }

function BookRow({ row, most, onPick }: RowProps) {
  const element = useRef<HTMLTableRowElement>(null)
  const before = useRef(row.shares)
  useEffect(() => {
    if (before.current !== row.shares) glow(element.current, 'new')
    before.current = row.shares
  }, [row.shares])
  return (
    <tr
      ref={element}
      title={`${row.orderCount} ${row.orderCount === 1 ? 'order' : 'orders'}`}
      style={{ '--share': String(row.total / most) }}
      onClick={() => onPick(row.price)}
    >
      <td class="at">
        <Price value={row.price} />
        {row.implied === true ? <abbr title="From complete sets">*</abbr> : null}
      </td>
      <td>{shares(row.shares)}</td>
      <td>{shares(row.total)}</td>
    </tr>
  )
}
