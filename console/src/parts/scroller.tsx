// A scrolling table, and the note that it shows only the latest rows.

import type { ComponentChildren } from 'preact'
import { totalOf } from '../figures.ts'
import type { Paged } from '../wire.ts'

export function Scroller({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard scrolling needs focus.
    <section class="table-wrap" tabIndex={0} aria-label={name}>
      {children}
    </section>
  )
}

export function Latest({ page, count }: { page: Paged; count: number }) {
  if (!page.hasMore) return null
  return (
    <p class="hint">
      The latest {count} of {totalOf(page)}.
    </p>
  )
}
