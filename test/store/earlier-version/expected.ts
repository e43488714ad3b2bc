// What stands beside the data of a version: who its operators are, what is called what in it, and
// what that version answered about it.

import type { StoredAnswer } from './answers.ts'
import type { Named } from './scene.ts'
import type { Replay } from './scene-days.ts'

export type Expected = {
  /** Unix milliseconds; it was stopped within a minute after that. */
  readonly leftAt: number
  readonly ids: Readonly<Record<'harbour' | 'lagoon' | 'marsh', string>>
  readonly keys: Readonly<Record<'harbour' | 'lagoon' | 'marsh' | 'admin', string>>
  readonly named: Named
  /** The active webhook of each received all events up to this one, and of none after it. */
  readonly delivered: Readonly<Record<'harbour' | 'lagoon', number>>
  readonly replays: readonly Replay[]
  readonly answers: readonly StoredAnswer[]
}
