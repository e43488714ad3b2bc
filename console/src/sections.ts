// The rooms of the console: which of them whoever is signed in may enter. The first is where they
// start.

import type { Session } from './session.ts'

export const sectionsOf = {
  operator: [
    ['markets', 'Markets'],
    ['categories', 'Categories'],
    ['events', 'Events'],
    ['webhooks', 'Webhooks'],
    ['players', 'Players'],
    ['statistics', 'Statistics'],
  ],
  admin: [['operators', 'Operators']],
} as const

/** Whether a place, such as ['markets', '7'], is in one of their rooms. */
export function isForThem(kind: Session['kind'], [section]: readonly string[]): boolean {
  return section === undefined || sectionsOf[kind].some(([name]) => name === section)
}
