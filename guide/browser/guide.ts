// The script of the guide: the search. Everything else works without a script.

import type { Entry } from '../search-index.ts'
import { search } from './rank.ts'

const resultsMax = 8

const form = find<HTMLFormElement>('.search')
const input = find<HTMLInputElement>('#search')
const list = find<HTMLElement>('#results')
const status = find<HTMLElement>('#search-status')

let entries: Promise<readonly Entry[]> | null = null
let selected = -1

form.hidden = false
input.addEventListener('focus', () => void load())
input.addEventListener('input', () => void update())
input.addEventListener('keydown', onKey)
form.addEventListener('submit', (submitted) => {
  submitted.preventDefault()
  const options = optionsOf()
  ;(options[selected] ?? options[0])?.click()
})
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Node) || !form.contains(target)) close()
})
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node) || !form.contains(relatedTarget)) close()
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
})

/** Loaded when it is needed for the first time, and again after a failure. */
function load(): Promise<readonly Entry[]> {
  entries ??= fetch(document.body.dataset.search ?? '').then(async (response) => {
    if (!response.ok) throw new Error(`The search index was answered with ${response.status}`)
    return response.json()
  })
  entries.catch(() => {
    entries = null
  })
  return entries
}

async function update(): Promise<void> {
  const query = input.value
  try {
    const loaded = await load()
    // The query has changed while the index was loaded.
    if (query === input.value) show(query, search(loaded, query, resultsMax))
  } catch {
    status.textContent = 'The search is not available.'
  }
}

function show(query: string, found: readonly Entry[]): void {
  selected = -1
  input.removeAttribute('aria-activedescendant')
  const isEmpty = query.trim() === ''
  list.hidden = isEmpty
  input.setAttribute('aria-expanded', String(!isEmpty))
  list.replaceChildren(...(found.length > 0 ? found.map(optionOf) : [nothing()]))
  status.textContent = isEmpty ? '' : `${found.length} results`
}

function optionOf(entry: Entry, at: number): HTMLElement {
  const option = document.createElement('a')
  option.href = entry.u
  option.id = `result-${at}`
  option.role = 'option'
  option.tabIndex = -1
  option.setAttribute('aria-selected', 'false')
  option.append(line('title', entry.h === '' ? entry.t : entry.h))
  if (entry.h !== '') option.append(line('page', entry.t))
  option.append(line('beginning', entry.s))
  // On the same page, the link only moves to the heading.
  option.addEventListener('click', close)
  return option
}

function nothing(): HTMLElement {
  const option = line('nothing', 'Nothing found.')
  option.role = 'option'
  option.setAttribute('aria-disabled', 'true')
  return option
}

function line(className: string, text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}

function onKey(event: KeyboardEvent): void {
  const options = optionsOf()
  if (event.key === 'Escape') close()
  else if (event.key === 'ArrowDown') select(options, Math.min(selected + 1, options.length - 1))
  else if (event.key === 'ArrowUp') select(options, Math.max(selected - 1, 0))
  else return
  event.preventDefault()
}

function select(options: readonly HTMLElement[], next: number): void {
  if (options.length === 0) return
  selected = next
  for (const [at, option] of options.entries()) {
    option.setAttribute('aria-selected', String(at === selected))
  }
  const chosen = options[selected]!
  input.setAttribute('aria-activedescendant', chosen.id)
  chosen.scrollIntoView({ block: 'nearest' })
}

function close(): void {
  list.hidden = true
  selected = -1
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
}

function optionsOf(): HTMLElement[] {
  return list.hidden ? [] : [...list.querySelectorAll<HTMLElement>('a[role=option]')]
}

function find<Kind extends Element>(selector: string): Kind {
  const element = document.querySelector<Kind>(selector)
  if (element === null) throw new Error(`The page has no ${selector}`)
  return element
}
