// Numbers: prices with muted trailing zeros, and a short highlight when one changes.

import { useEffect, useRef } from 'preact/hooks'
import { grouped, money, priceParts } from '../figures.ts'
import { prefersReducedMotion } from '../theme.ts'

export function Price({ value, glows = false }: { value: number | null; glows?: boolean }) {
  const element = useRef<HTMLSpanElement>(null)
  const before = useRef(value)
  useEffect(() => {
    const from = before.current
    before.current = value
    if (!glows || from === null || value === null || from === value) return
    glow(element.current, value > from ? 'up' : 'down')
  }, [value, glows])
  if (value === null) return <span class="price none">–</span>
  const [digits, zeros] = priceParts(value)
  return (
    <span class="price" ref={element}>
      {digits}
      <span class="zeros">{zeros}</span>
    </span>
  )
}

export function glow(element: HTMLElement | null, kind: 'up' | 'down' | 'new'): void {
  if (element === null || prefersReducedMotion()) return
  const shade = `var(--glow-${kind})`
  element.animate([{ backgroundColor: shade }, { backgroundColor: 'transparent' }], {
    duration: 700,
    easing: 'ease-out',
  })
}

/** A number with its name. */
export function Stat({ name, value, more }: { name: string; value: string; more?: string }) {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd>
        {value}
        {more === undefined ? null : <small>{more}</small>}
      </dd>
    </div>
  )
}

/** A bar for a part of a whole. */
export function Bar({ share }: { share: number }) {
  return <span class="bar" style={{ '--share': String(share) }} />
}

/** Money rounded to the cent, with all decimals in its tooltip. */
export function Money({ of }: { of: string }) {
  return <span title={grouped(of)}>{money(Number(of).toFixed(2))}</span>
}
