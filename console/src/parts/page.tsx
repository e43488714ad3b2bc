// A page with title, actions and content. The title gets the focus on navigation, so that a screen
// reader announces the page.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Props = {
  readonly title: string
  readonly above?: ComponentChildren
  readonly beside?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

let isFirstPage = true

export function Page({ title, above, beside, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Outcry`
  }, [title])
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
  return (
    <div class="page">
      <header class="page-head">
        <div class="page-title">
          {above}
          <div class="title-line">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {beside}
          </div>
        </div>
        <div class="actions">{actions}</div>
      </header>
      {children}
    </div>
  )
}
