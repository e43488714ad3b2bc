// Keys that work everywhere outside of fields, and those that a page adds while it is shown.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { go } from './route.ts'
import { session } from './session.ts'
import { switchTheme } from './theme.ts'

export type Shortcut = {
  /** As it is typed: "g m" is g and then m. */
  readonly keys: string
  readonly does: string
  readonly act: () => void
}

const sequenceMaxMs = 1_200

export const isHelpOpen = signal(false)
export const ofPage = signal<readonly Shortcut[]>([])

const forAll: readonly Shortcut[] = [
  {
    keys: '?',
    does: 'Show these keys',
    act: () => {
      isHelpOpen.value = true
    },
  },
  { keys: 't', does: 'Light or dark', act: switchTheme },
]
const forOperator: readonly Shortcut[] = [
  { keys: 'g m', does: 'Go to markets', act: () => go('/markets') },
  { keys: 'g c', does: 'Go to categories', act: () => go('/categories') },
  { keys: 'g e', does: 'Go to events', act: () => go('/events') },
  { keys: 'g w', does: 'Go to webhooks', act: () => go('/webhooks') },
  { keys: 'g p', does: 'Go to players', act: () => go('/players') },
  { keys: 'g s', does: 'Go to statistics', act: () => go('/statistics') },
  { keys: 'n', does: 'Create a market', act: () => go('/markets/new') },
]
const forAdmin: readonly Shortcut[] = [
  { keys: 'g o', does: 'Go to operators', act: () => go('/operators') },
]

export function shortcuts(): readonly Shortcut[] {
  const own = session.value?.kind === 'admin' ? forAdmin : forOperator
  return [...forAll, ...(session.value === null ? [] : own), ...ofPage.value]
}

/** Keys of a page, while it is shown. */
export function useShortcuts(added: readonly Shortcut[]): void {
  useEffect(() => {
    ofPage.value = added
    return () => {
      ofPage.value = []
    }
  }, [])
}

export function listenForKeys(): void {
  let before = ''
  let pressedAt = 0
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
    const isSequence = performance.now() - pressedAt < sequenceMaxMs
    const all = shortcuts()
    const found =
      (isSequence ? all.find(({ keys }) => keys === `${before} ${event.key}`) : undefined) ??
      all.find(({ keys }) => keys === event.key)
    before = event.key
    pressedAt = performance.now()
    if (found === undefined) return
    event.preventDefault()
    found.act()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null
}
