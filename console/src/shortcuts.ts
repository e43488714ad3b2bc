// Keyboard shortcuts: those that work on every page, and those that a page adds.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { can } from './identity.ts'
import { go } from './route.ts'
import { session } from './session.ts'
import { switchTheme } from './theme.ts'

export type Shortcut = {
  /** Typed in sequence: "g m" is g, then m. */
  readonly keys: string
  readonly description: string
  readonly act: () => void
}

const sequenceMaxMs = 1_200

export const isHelpOpen = signal(false)
const pageShortcuts = signal<readonly Shortcut[]>([])

const forAll: readonly Shortcut[] = [
  {
    keys: '?',
    description: 'Show keyboard shortcuts',
    act: () => {
      isHelpOpen.value = true
    },
  },
  { keys: 't', description: 'Switch between light and dark', act: switchTheme },
]
const forOperator: readonly Shortcut[] = [
  { keys: 'g m', description: 'Go to markets', act: () => go('/markets') },
  { keys: 'g c', description: 'Go to categories', act: () => go('/categories') },
  { keys: 'g e', description: 'Go to events', act: () => go('/events') },
  { keys: 'g w', description: 'Go to webhooks', act: () => go('/webhooks') },
  { keys: 'g p', description: 'Go to players', act: () => go('/players') },
  { keys: 'g t', description: 'Go to trading controls', act: () => go('/controls') },
  { keys: 'g s', description: 'Go to statistics', act: () => go('/statistics') },
  { keys: 'g a', description: 'Go to the audit log', act: () => go('/audit') },
]
const forManager: readonly Shortcut[] = [
  { keys: 'n', description: 'Create a market', act: () => go('/markets/new') },
]
const forAdmin: readonly Shortcut[] = [
  { keys: 'g o', description: 'Go to operators', act: () => go('/operators') },
  { keys: 'g c', description: 'Go to categories', act: () => go('/categories') },
  { keys: 'g t', description: 'Go to trading controls', act: () => go('/controls') },
  { keys: 'g a', description: 'Go to the audit log', act: () => go('/audit') },
  { keys: 'g l', description: 'Go to the cluster', act: () => go('/cluster') },
  { keys: 'g h', description: 'Go to health', act: () => go('/health') },
]

export function shortcuts(): readonly Shortcut[] {
  const ofOperator = can('manage') ? [...forOperator, ...forManager] : forOperator
  const own = session.value?.kind === 'admin' ? forAdmin : ofOperator
  return [...forAll, ...(session.value === null ? [] : own), ...pageShortcuts.value]
}

/** Adds shortcuts while a page is shown. */
export function useShortcuts(added: readonly Shortcut[]): void {
  useEffect(() => {
    pageShortcuts.value = added
    return () => {
      pageShortcuts.value = []
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
