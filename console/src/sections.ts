// The sections of the console that each kind of user can open. The first one is the start page.

import type { Session } from './session.ts'

export const sectionsOf = {
  operator: [
    ['markets', 'Markets'],
    ['categories', 'Categories'],
    ['events', 'Events'],
    ['webhooks', 'Webhooks'],
    ['players', 'Players'],
    ['controls', 'Controls'],
    ['statistics', 'Statistics'],
    ['audit', 'Audit'],
  ],
  admin: [
    ['operators', 'Operators'],
    ['categories', 'Categories'],
    ['controls', 'Controls'],
    ['audit', 'Audit'],
    ['cluster', 'Cluster'],
    ['health', 'Health'],
  ],
} as const

/** Whether a path, such as ['markets', '7'], is in a section of this kind of user. */
export function canOpen(kind: Session['kind'], [section]: readonly string[]): boolean {
  return section === undefined || sectionsOf[kind].some(([name]) => name === section)
}
