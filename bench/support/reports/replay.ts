// The report of the replay bench.

import type { ReplayResult } from '../../store/replay.ts'
import { count, row } from './table.ts'

export function reportReplay({ events, pages }: ReplayResult): string[] {
  return [
    `## One page of events out of ${count(events)} of one operator`,
    '',
    '| query | ms |',
    '|---|---|',
    ...Object.entries(pages).map(([name, ms]) => row([name, ms.toFixed(2)])),
    '',
  ]
}
