// The threads of a process that read the database, in lanes.

import { ReadLanes } from '../read-lanes.ts'
import type { ReadMetrics } from '../store.ts'
import { Reader } from './reader.ts'

export type LanesOptions = {
  readonly folder: string
  readonly onFatal: (cause: Error) => void
  /** Callers are served: the threads that read for them start at once, not with the first read. */
  readonly servesCallers?: boolean
  readonly metrics?: ReadMetrics
}

/** Each thread has its own cache. One operator never occupies both threads of the callers. */
const readersOf = { service: 1, callers: 2, long: 1 } as const

export function openLanes(options: LanesOptions): ReadLanes<Reader> {
  const { folder, onFatal, servesCallers = false, metrics } = options
  const readers = (count: number) =>
    Array.from({ length: count }, () => new Reader({ folder, onFatal }))
  const callers = readers(readersOf.callers)
  if (servesCallers) for (const reader of callers) reader.start()
  return new ReadLanes({
    readers: { service: readers(readersOf.service), callers, long: readers(readersOf.long) },
    metrics,
  })
}
