// The prices of the last 24 hours as a small line, without axes.

import type { MarketSummary } from '../wire.ts'

type Favourite = NonNullable<MarketSummary['favourite']>

const [width, height, margin] = [72, 20, 2]
const dayMs = 24 * 60 * 60_000

export function Sparkline({ of, now }: { of: Favourite; now: number }) {
  const line = pointsOf(of, now)
  const direction = of.change24h > 0 ? 'bid' : of.change24h < 0 ? 'ask' : ''
  return (
    <svg class={`sparkline ${direction}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polyline points={line.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
    </svg>
  )
}

/** A price lasts until the next trade, so the line has steps. */
function pointsOf({ points, lastPrice, change24h }: Favourite, now: number) {
  const from = now - dayMs
  const before = { time: from, price: lastPrice - change24h }
  const known = [before, ...points, { time: now, price: lastPrice }]
  const prices = known.map(({ price }) => price)
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const range = high - low || 1
  const y = (price: number) => margin + (1 - (price - low) / range) * (height - 2 * margin)
  const x = (time: number) => ((Math.min(Math.max(time, from), now) - from) / dayMs) * width
  return known.flatMap(({ time, price }, index) => {
    const earlier = known[index - 1]
    const step = [x(time), y(price)] as const
    return earlier === undefined ? [step] : [[x(time), y(earlier.price)] as const, step]
  })
}
