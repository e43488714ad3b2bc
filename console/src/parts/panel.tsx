// A part of a page with its title, and what it says where it has nothing to show.

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { explain } from '../explain.ts'
import type { Loaded } from '../loaded.ts'

type Props = {
  readonly title: string
  readonly kind?: string
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

export function Panel({ title, kind = '', tools, children }: Props) {
  const id = useId()
  return (
    <section class={`panel ${kind}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <div class="panel-tools">{tools}</div>
      </header>
      {children}
    </section>
  )
}

export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}

/** What stands in the place of something that is not there yet, or cannot be had. */
export function Instead({ of, what }: { of: Loaded<unknown>; what: string }) {
  if (of.isMissing) return <Nothing>{what} are not available on this exchange.</Nothing>
  if (of.error !== null) {
    return (
      <div class="nothing" role="alert">
        <p>{explain(of.error)}</p>
        <button type="button" onClick={of.reload}>
          Try again
        </button>
      </div>
    )
  }
  return <p class="nothing loading">Loading</p>
}
