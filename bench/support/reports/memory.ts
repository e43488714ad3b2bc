// The report of the memory bench.

import type { MemoryResult } from '../../core/memory.ts'
import { count } from './table.ts'

export function reportMemory(memory: MemoryResult): string[] {
  return [
    '## Memory',
    '',
    `${count(memory.outcomes)} outcomes, ${count(memory.orders)} resting orders and`,
    `${count(memory.positions)} positions in one process of ${count(memory.residentMiB)} MiB.`,
    '',
    '| item | bytes each | target |',
    '|---|---|---|',
    `| empty book, with its share of the market | ${count(memory.perEmptyBook)} | at most 1,024 |`,
    `| position | ${count(memory.perPosition)} | at most 150 |`,
    `| resting order, each at a different price | ${count(memory.perOrder)} | at most 200 |`,
    '',
  ]
}

export function summarizeMemory({ perOrder, perPosition, perEmptyBook }: MemoryResult): string {
  const sizes = `${count(perOrder)} bytes, a position ${count(perPosition)}`
  return `A resting order uses ${sizes}, an empty book ${count(perEmptyBook)}.`
}
