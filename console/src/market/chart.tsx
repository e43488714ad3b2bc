// A chart in a place of fixed height: drawn anew when the theme changes, resized with its place.

import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../theme.ts'

type Props = {
  readonly name: string
  readonly height: number
  readonly data: uPlot.AlignedData
  /** Colours are read from the styles when it is called. */
  readonly options: () => Omit<uPlot.Options, 'width' | 'height'>
}

export function Chart({ name, height, data, options }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(data)
  latest.current = data
  const shade = theme.value
  useEffect(() => {
    const place = element.current
    if (place === null) return
    const width = place.clientWidth
    const made = new uPlot({ ...options(), width, height }, latest.current, place)
    plot.current = made
    const watcher = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height }))
    watcher.observe(place)
    return () => {
      watcher.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [options, height, shade])
  useEffect(() => plot.current?.setData(data), [data])
  return <div class="chart" ref={element} role="img" aria-label={name} />
}
