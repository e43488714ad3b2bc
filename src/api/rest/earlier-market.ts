// The market that an earlier attempt with the same Idempotency-Key has created, if its process
// ended before the answer was kept. A market does not state the key that it was created with, so it
// is found by its content: it is the same, not older than the attempt, and was not the answer to
// another key.

import { isDeepStrictEqual } from 'node:util'
import type { Serial } from '../../core/ids.ts'
import { yesAndNo } from '../../core/markets/create-market.ts'
import type { CreateMarket } from '../../engine/commands.ts'
import type { MarketRow } from '../../store/store.ts'
import type { Attempt } from '../idempotency/kept-answers.ts'
import type { MarketCaller } from './market-answer.ts'

const newestRead = 1_000
/** The clocks of two nodes differ by less. */
export const clockOffMsMax = 2_000

export async function earlierMarket(
  { operator, shard }: MarketCaller,
  command: CreateMarket,
  attempt: Attempt | null,
): Promise<Serial | null> {
  if (attempt === null || attempt.isFirst) return null
  const { begunAt, otherAnswers } = attempt
  // Answered only when every command that was executed before is committed or has failed.
  await shard.submit('prices', { marketSerial: 0 as Serial, outcomeSerial: null })
  const { rows } = await shard.reads.markets({
    operatorNumber: operator.number,
    categoryId: null,
    statuses: null,
    search: null,
    sharedIn: null,
    after: null,
    limit: newestRead,
  })
  const answered = new Set((await otherAnswers()).map(idOf))
  const found = rows.filter(
    (row) =>
      row.createdAt >= begunAt - clockOffMsMax &&
      isDeepStrictEqual(contentOf(row), contentOfCommand(command)) &&
      !answered.has(shard.ids.textOf(row.serial, row.createdAt)),
  )
  return found.at(-1)?.serial ?? null
}

function idOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'id' in data ? data.id : null
}

function contentOf(row: MarketRow) {
  const { title, description, imageUrl, categoryId, metadata, currency } = row
  return {
    ...{ title, description, imageUrl, categoryId, metadata, currency },
    tradingStartsAt: row.tradingStartsAt,
    tradingEndsAt: row.tradingEndsAt,
    isShared: row.isShared,
    hasCompleteSetMatching: row.hasCompleteSetMatching,
    hasPublicPage: row.hasPublicPage,
    feeSchedule: row.feeSchedule,
    priceBand: row.priceBand,
    outcomes: row.outcomes.map(({ name, description }) => ({ name, description })),
  }
}

function contentOfCommand({ operatorId: _, ...command }: CreateMarket) {
  return { ...command, outcomes: command.outcomes ?? yesAndNo }
}
