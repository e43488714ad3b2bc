// A chart of fixed height. It is redrawn when the theme changes and resized with its container.

import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../theme.ts'

type Props = {
  readonly name: string
  readonly height: number
  readonly data: uPlot.AlignedData
  /** Reads colours from the style sheets when called. */
  readonly options: () => Omit<uPlot.Options, 'width' | 'height'>
}

export function Chart({ name, height, data, options }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(data)
  latest.current = data
  const shade = theme.value
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const width = element.clientWidth
    const made = new uPlot({ ...options(), width, height }, latest.current, element)
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
  return <div class="chart" ref={container} role="img" aria-label={name} />
}
