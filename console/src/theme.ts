// Light or dark: as the system says, unless somebody chose.

import { effect, signal } from '@preact/signals'

export type Theme = 'light' | 'dark'

const place = 'outcry.theme'
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
  localStorage.setItem(place, chosen.value)
}

function readChosen(): Theme | null {
  const kept = localStorage.getItem(place)
  return kept === 'light' || kept === 'dark' ? kept : null
}

/** A colour of the style sheets, for what is drawn on a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

export function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
