// Draws candles and volumes onto a chart whose columns are time, open, high, low, close, volume.

import type uPlot from 'uplot'

type Shades = { readonly up: string; readonly down: string }

const widthMax = 12
const volumeOpacity = 0.28

/** `interval` is in seconds, as the times are. */
export function drawCandles(plot: uPlot, { up, down }: Shades, interval: number): void {
  const { ctx: pen, data } = plot
  const [times, opens, highs, lows, closes, volumes] = data
  const { left, top, width: wide, height } = plot.bbox
  const ratio = devicePixelRatio
  const spacing = plot.valToPos(interval, 'x', true) - plot.valToPos(0, 'x', true)
  const width = Math.max(1, Math.min(widthMax * ratio, Math.round(spacing * 0.66)))
  pen.save()
  pen.beginPath()
  pen.rect(left, top, wide, height)
  pen.clip()
  for (const [at, time] of times.entries()) {
    const [open, high, low, close] = [opens?.[at], highs?.[at], lows?.[at], closes?.[at]]
    if (open == null || high == null || low == null || close == null) continue
    const x = Math.round(plot.valToPos(time, 'x', true))
    const y = (price: number) => Math.round(plot.valToPos(price, 'y', true))
    pen.fillStyle = close >= open ? up : down
    const bottom = plot.valToPos(0, 'volume', true)
    const volumeTop = plot.valToPos(volumes?.[at] ?? 0, 'volume', true)
    pen.globalAlpha = volumeOpacity
    pen.fillRect(x - width / 2, volumeTop, width, bottom - volumeTop)
    pen.globalAlpha = 1
    pen.fillRect(x - ratio / 2, y(high), ratio, Math.max(1, y(low) - y(high)))
    const bodyTop = Math.min(y(open), y(close))
    pen.fillRect(x - width / 2, bodyTop, width, Math.max(ratio, Math.abs(y(open) - y(close))))
  }
  pen.restore()
}
