// Draws candles, and volumes in a band of their own below, onto a chart whose columns are time,
// open, high, low, close, volume.

import type uPlot from 'uplot'
import { shares } from '../figures.ts'
import { colour } from '../theme.ts'
import { bandShare, gapShare } from './chart-band.ts'
import { chartFont } from './chart-style.ts'

const widthMax = 12
const volumeOpacity = 0.55

/** `interval` is in seconds, as the times are. */
export function drawCandles(plot: uPlot, interval: number): void {
  const { ctx: pen, data } = plot
  const [times, opens, highs, lows, closes, volumes] = data
  const { left, top, width: wide, height } = plot.bbox
  const ratio = devicePixelRatio
  const spacing = plot.valToPos(interval, 'x', true) - plot.valToPos(0, 'x', true)
  const width = Math.max(1, Math.min(widthMax * ratio, Math.round(spacing * 0.66)))
  const [up, down] = [colour('bid'), colour('ask')]
  const bottom = top + height
  const most = Math.max(0, ...Array.from(volumes ?? [], (volume) => volume ?? 0))
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
    const part = most === 0 ? 0 : (volumes?.[at] ?? 0) / most
    const tall = Math.max(ratio, Math.round(part * height * bandShare))
    pen.globalAlpha = volumeOpacity
    pen.fillRect(x - width / 2, bottom - tall, width, tall)
    pen.globalAlpha = 1
    pen.fillRect(x - ratio / 2, y(high), ratio, Math.max(1, y(low) - y(high)))
    const bodyTop = Math.min(y(open), y(close))
    pen.fillRect(x - width / 2, bodyTop, width, Math.max(ratio, Math.abs(y(open) - y(close))))
  }
  drawBand(plot, most)
  pen.restore()
}

/** The upper edge of the band, and what its height stands for. */
function drawBand({ ctx: pen, bbox }: uPlot, most: number): void {
  const { left, top, width, height } = bbox
  const ratio = devicePixelRatio
  const edge = Math.round(top + height * (1 - bandShare - gapShare))
  pen.fillStyle = colour('line')
  pen.fillRect(left, edge, width, ratio)
  pen.fillStyle = colour('text-quiet')
  pen.font = chartFont(ratio)
  pen.textAlign = 'left'
  pen.textBaseline = 'top'
  pen.fillText(`Volume, up to ${shares(most)}`, left + 4 * ratio, edge + 2 * ratio)
}
