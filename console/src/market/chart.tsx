// A chart of fixed height. It is redrawn when the theme changes and resized with its container. The
// pointer or the arrow keys choose a point, which is read out beside the chart.

import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../theme.ts'

type Props = {
  readonly name: string
  readonly height: number
  readonly data: uPlot.AlignedData
  /** Reads colours from the style sheets when called. */
  readonly options: () => Omit<uPlot.Options, 'width' | 'height'>
  readonly readout?: Readout
}

export type Readout = {
  /** The chosen point; null for none. */
  readonly at: number | null
  readonly text: string
  readonly onPoint: (at: number | null) => void
}

export function Chart({ name, height, data, options, readout }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef({ data, readout })
  latest.current = { data, readout }
  const shade = theme.value
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const width = element.clientWidth
    const made = new uPlot({ ...options(), width, height }, latest.current.data, element)
    made.hooks.setCursor = [({ cursor }) => latest.current.readout?.onPoint(cursor.idx ?? null)]
    plot.current = made
    const watcher = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [options, height, shade])
  useEffect(() => plot.current?.setData(data), [data])
  if (readout === undefined) {
    return <div class="chart" ref={container} role="img" aria-label={name} />
  }
  const count = data[0].length
  return (
    <div
      class="chart"
      ref={container}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={(readout.at ?? count - 1) + 1}
      aria-valuetext={readout.text}
      onKeyDown={(event) => movePoint(event, plot.current)}
      onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
    />
  )
}

function movePoint(event: KeyboardEvent, plot: uPlot | null): void {
  if (plot === null) return
  const times = plot.data[0]
  const last = times.length - 1
  const at = plot.cursor.idx ?? last + 1
  const goals: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: last,
  }
  const goal = goals[event.key]
  const time = goal === undefined ? undefined : times[Math.min(last, Math.max(0, goal))]
  if (time === undefined) return
  event.preventDefault()
  plot.setCursor({ left: plot.valToPos(time, 'x'), top: plot.over.clientHeight / 2 })
}
