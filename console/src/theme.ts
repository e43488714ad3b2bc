// Light or dark: the system's setting, unless the user chose.

import { effect, signal } from '@preact/signals'

export type Theme = 'light' | 'dark'

const storageKey = 'outcry.theme'
const system = matchMedia('(prefers-color-scheme: dark)')

const chosen = signal<Theme | null>(readChosen())
const isSystemDark = signal(system.matches)

export const theme = signal<Theme>('light')

system.addEventListener('change', () => {
  isSystemDark.value = system.matches
})

effect(() => {
  theme.value = chosen.value ?? (isSystemDark.value ? 'dark' : 'light')
  document.documentElement.dataset.theme = theme.value
})

export function switchTheme(): void {
  chosen.value = theme.peek() === 'dark' ? 'light' : 'dark'
  localStorage.setItem(storageKey, chosen.value)
}

function readChosen(): Theme | null {
  const stored = localStorage.getItem(storageKey)
  return stored === 'light' || stored === 'dark' ? stored : null
}

/** A colour of the style sheets, for drawing on a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
