// The order book of an outcome: asks above bids, with bars for cumulative shares, in groups of
// ticks. It scrolls, and what is seen stays where it is when levels come and go above it.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { price as priceText, shares } from '../figures.ts'
import { type Book, grouping, type Row, withTotals } from '../live/book.ts'
import { useLoaded } from '../loaded.ts'
import { glow, Price } from '../parts/figure.tsx'
import { CheckField, SelectField } from '../parts/form.tsx'
import { Heads } from '../parts/heads.tsx'
import { memo } from '../parts/memo.tsx'
import { Panel } from '../parts/panel.tsx'
import type { Level, Market, Outcome } from '../wire.ts'

/** More levels are not shown; larger groups show them. */
const levelsMax = 100
/** So many rows each side has at least, so that the spread does not move. */
const rowsMin = 10
const impliedDepth = 50

const groupings = [
  ['1', '1 tick'],
  ['5', '5 ticks'],
  ['10', '10 ticks'],
  ['100', '100 ticks'],
] as const
type Grouping = (typeof groupings)[number][0]

type Props = {
  readonly book: Book | null
  readonly market: Market
  readonly outcome: Outcome
  readonly onPick: (price: number) => void
}

export function BookPanel({ book, market, outcome, onPick }: Props) {
  const [isImplied, setImplied] = useState(false)
  const [ticks, setTicks] = useState<Grouping>('1')
  const implied = useImplied(market, outcome, book, isImplied)
  const shown = isImplied && implied !== null ? implied : book
  return (
    <Panel title="Order book" kind="book" tools={<span class="of">{outcome.name}</span>}>
      <Levels
        key={`${outcome.id} ${ticks}`}
        bids={shown?.bids ?? []}
        asks={shown?.asks ?? []}
        ticks={Number(ticks)}
        onPick={onPick}
      />
      <div class="book-foot">
        <SelectField name="Group by" choices={groupings} value={ticks} onValue={setTicks} />
        {market.completeSetMatching ? (
          <CheckField name="Include complete-set matches" isOn={isImplied} onChange={setImplied} />
        ) : null}
      </div>
    </Panel>
  )
}

type LevelsProps = {
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly ticks: number
  readonly onPick: (price: number) => void
}

function Levels({ bids: allBids, asks: allAsks, ticks, onPick }: LevelsProps) {
  const bids = withTotals(grouping(allBids, 'bid', ticks), levelsMax)
  const asks = withTotals(grouping(allAsks, 'ask', ticks), levelsMax)
  const most = Math.max(1, bids.at(-1)?.total ?? 0, asks.at(-1)?.total ?? 0)
  const [bid, ask] = [allBids[0]?.price, allAsks[0]?.price]
  const place = useSteadyPlace(Math.max(rowsMin, asks.length))
  return (
    <section
      class="book-scroll"
      ref={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard scrolling needs focus.
      tabIndex={0}
      aria-label="Levels"
      onKeyDown={moveBetweenPrices}
    >
      <table class="book-table">
        <Heads columns={['Price', 'Shares', 'Total']} />
        <Rows side="ask" rows={asks} most={most} onPick={onPick} />
        <tbody>
          <tr class="spread">
            <th scope="row">Spread</th>
            <td colSpan={2}>
              <Price value={bid === undefined || ask === undefined ? null : ask - bid} />
            </td>
          </tr>
        </tbody>
        <Rows side="bid" rows={bids} most={most} onPick={onPick} />
      </table>
    </section>
  )
}

/** Starts with the spread in the middle; later rows above what is seen do not move it. */
function useSteadyPlace(rowsAbove: number) {
  const place = useRef<HTMLElement>(null)
  const before = useRef<number | null>(null)
  useLayoutEffect(() => {
    const element = place.current
    const bids = element?.querySelector<HTMLElement>('.side.bid')
    if (element === null || bids === null || bids === undefined) return
    const top = bids.offsetTop
    const head = element.querySelector('thead')?.offsetHeight ?? 0
    const spread = element.querySelector<HTMLElement>('.spread')?.offsetHeight ?? 0
    element.scrollTop =
      before.current === null
        ? top - (element.clientHeight + head + spread) / 2
        : element.scrollTop + top - before.current
    before.current = top
  }, [rowsAbove])
  return place
}

/** The arrow keys go from price to price; the best ones are in the order of tabs. */
function moveBetweenPrices(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const prices = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('.at button')]
  const at = prices.findIndex((button) => button.matches(':focus'))
  if (step === 0 || at < 0) return
  event.preventDefault()
  prices[at + step]?.focus()
}

/** Implied levels are not streamed: they are loaded again when the book changes. */
function useImplied(market: Market, outcome: Outcome, book: Book | null, isOn: boolean) {
  const query = { implied: true, depth: impliedDepth }
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
  const slots = Array.from({ length: Math.max(rowsMin, rows.length) }, (_, at) => rows[at])
  const best = rows[0]
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
          <BookRow
            key={row.price}
            price={row.price}
            count={row.shares}
            total={row.total}
            orderCount={row.orderCount}
            isImplied={row.implied === true}
            isBest={row === best}
            part={row.total / most}
            onPick={onPick}
          />
        ),
      )}
    </tbody>
  )
}

type RowProps = {
  readonly price: number
  readonly count: number
  readonly total: number
  readonly orderCount: number
  readonly isImplied: boolean
  readonly isBest: boolean
  readonly part: number
  readonly onPick: (price: number) => void
}

const BookRow = memo((props: RowProps) => {
  const { price, count, total, orderCount, isImplied, isBest, part, onPick } = props
  const element = useRef<HTMLTableRowElement>(null)
  const before = useRef(count)
  useEffect(() => {
    if (before.current !== count) glow(element.current, 'new')
    before.current = count
  }, [count])
  return (
    <tr
      ref={element}
      title={`${orderCount} ${orderCount === 1 ? 'order' : 'orders'}`}
      style={{ '--share': String(part) }}
      onClick={() => onPick(price)}
    >
      <td class="at">
        <button
          type="button"
          class="plain"
          tabIndex={isBest ? 0 : -1}
          aria-label={`Use the price ${priceText(price)}`}
        >
          <Price value={price} />
        </button>
        {isImplied ? <abbr title="From complete sets">*</abbr> : null}
      </td>
      <td>{shares(count)}</td>
      <td>{shares(total)}</td>
    </tr>
  )
})
