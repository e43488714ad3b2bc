// The threads of a process that read the database, in lanes.

import { ReadLanes } from '../read-lanes.ts'
import type { ReadMetrics } from '../store.ts'
import { DerivedProgress } from './derived-progress.ts'
import { Reader } from './reader.ts'

export type LanesOptions = {
  readonly folder: string
  readonly onFatal: (cause: Error) => void
  /** Callers are served: the threads that read for them start at once, not with the first read. */
  readonly servesCallers?: boolean
  readonly metrics?: ReadMetrics
  /** Resolves when the tables have everything that is committed now; for a front end. */
  readonly untilReadable?: () => Promise<void>
  /** The last command that a read must see, for a thread that waits for it by `progress`. */
  readonly mustSee?: () => number
  readonly progress?: DerivedProgress
}

/** Each thread has its own cache. One operator never occupies both threads of the callers. */
const readersOf = { service: 1, callers: 2, long: 1 } as const

export function openLanes(options: LanesOptions): ReadLanes<Reader> {
  const { folder, onFatal, servesCallers = false, metrics, untilReadable, mustSee } = options
  const { progress = new DerivedProgress() } = options
  const readers = (count: number) =>
    Array.from({ length: count }, () => new Reader({ folder, progress, onFatal }))
  const callers = readers(readersOf.callers)
  if (servesCallers) for (const reader of callers) reader.start()
  return new ReadLanes({
    readers: { service: readers(readersOf.service), callers, long: readers(readersOf.long) },
    metrics,
    untilReadable,
    mustSee,
  })
}
