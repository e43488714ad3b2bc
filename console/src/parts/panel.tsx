// A panel with a title, and its states: empty, loading, failed.

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

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}

/** Shown until data is loaded: loading, the error, or that the exchange does not offer it. */
export function LoadState({ of, what }: { of: Loaded<unknown>; what: string }) {
  if (of.isMissing) return <Empty>{what} are not available on this exchange.</Empty>
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
