// The current page of the console: the path below /console, and navigation.

import { computed, signal } from '@preact/signals'

const root = '/console'

export const path = signal(pathNow())
/** The parts of the path: /markets/7/edit is ['markets', '7', 'edit']. */
export const pathParts = computed(() => path.value.split('/').filter((part) => part !== ''))

addEventListener('popstate', () => {
  path.value = pathNow()
})

export function hrefOf(to: string): string {
  return root + to
}

export function go(to: string): void {
  if (to !== path.peek()) history.pushState(null, '', hrefOf(to))
  path.value = to
  scrollTo(0, 0)
}

/** Follows links within the console without loading a new page. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || link.origin !== location.origin) return
    if (!link.pathname.startsWith(`${root}/`) || link.hash !== '') return
    event.preventDefault()
    go(link.pathname.slice(root.length))
  })
}

function pathNow(): string {
  const below = location.pathname.slice(root.length)
  return below === '' ? '/' : below
}
