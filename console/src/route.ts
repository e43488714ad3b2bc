// The current page of the console: the path below /console, its query, and navigation.

import { computed, signal } from '@preact/signals'

const root = '/console'

export const path = signal(pathNow())
/** Filters of a list, so that a reload, a link and the back button keep them. */
export const query = signal(location.search)
/** The parts of the path, decoded: /players/a%2Fb is ['players', 'a/b']. */
export const pathParts = computed(() => partsOf(path.value))

addEventListener('popstate', () => {
  path.value = pathNow()
  query.value = location.search
})

export function hrefOf(to: string): string {
  return root + to
}

export function go(to: string): void {
  if (to !== path.peek() + query.peek()) history.pushState(null, '', hrefOf(to))
  path.value = pathNow()
  query.value = location.search
  scrollTo(0, 0)
}

/** Fields of the query and how to change them; a field with its default is not in the query. */
export function useQueryFields<Name extends string>(
  defaults: Readonly<Record<Name, string>>,
): readonly [Readonly<Record<Name, string>>, (changes: Partial<Record<Name, string>>) => void] {
  const given = new URLSearchParams(query.value)
  const names = Object.keys(defaults) as Name[]
  const fields: Record<Name, string> = { ...defaults }
  for (const name of names) fields[name] = given.get(name) ?? defaults[name]
  const change = (changes: Partial<Record<Name, string>>) => {
    const next = new URLSearchParams(query.peek())
    for (const name of names) {
      const value = changes[name] ?? next.get(name) ?? defaults[name]
      if (value === defaults[name]) next.delete(name)
      else next.set(name, value)
    }
    const text = next.size === 0 ? '' : `?${next}`
    history.replaceState(null, '', hrefOf(path.peek()) + text)
    query.value = text
  }
  return [fields, change]
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
    go(link.pathname.slice(root.length) + link.search)
  })
}

function partsOf(encoded: string): readonly string[] {
  return encoded
    .split('/')
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        // Typed by hand, with a % that encodes nothing.
        return part
      }
    })
}

/** The page of a player, whose id is any text. Browsers resolve `.` and `..`, also encoded. */
export function pathOfPlayer(playerId: string): string {
  if (playerId === '.' || playerId === '..') return `/players?id=${playerId}`
  // The service takes a name with a dot for a file.
  return `/players/${encodeURIComponent(playerId).replaceAll('.', '%2E')}`
}

function pathNow(): string {
  const below = location.pathname.slice(root.length)
  return below === '' ? '/' : below
}
