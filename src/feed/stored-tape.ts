// The stored tape of every shard, from which missed trades are read.

import type { PublicTrade } from '../core/events/committed-turn.ts'
import { type Ids, shardOfId } from '../core/ids.ts'
import type { RecordStore, TapeRow } from '../store/store.ts'
import type { TapeOutcome, TapeSource } from './tape-topic.ts'

/** More trades than these are not sent again: the oldest are left out. */
const missedMax = 10_000
const pageSize = 1_000

type TapeShard = { readonly ids: Ids; readonly reads: Pick<RecordStore, 'lastSerial' | 'tape'> }

export function storedTape(shardNumbered: (shard: number) => TapeShard): TapeSource {
  const page = (
    outcome: TapeOutcome,
    query: Omit<Parameters<RecordStore['tape']>[0], 'outcomeSerial'>,
  ) => {
    const { ids, reads } = shardNumbered(shardOfId(outcome.outcomeId) ?? 0)
    const outcomeSerial = ids.serialOf(outcome.outcomeId)
    return outcomeSerial === null ? noTrades : reads.tape({ ...query, outcomeSerial })
  }
  return {
    lastSerial: (shard) => shardNumbered(shard).reads.lastSerial(),
    since: async (outcome, since) => {
      const found: PublicTrade[] = []
      let after: number | null = null
      do {
        const { rows, hasMore }: Awaited<ReturnType<typeof page>> = await page(outcome, {
          since,
          after,
          limit: pageSize,
        })
        for (const row of rows) found.push(tradeOf(outcome, row))
        after = hasMore ? (rows.at(-1)?.serial ?? null) : null
      } while (after !== null && found.length < missedMax)
      return found.reverse()
    },
  }
}

const noTrades = { rows: [], hasMore: false }

function tradeOf({ marketId, outcomeId }: TapeOutcome, row: TapeRow): PublicTrade {
  const { serial, price, shares, takerSide, createdAt } = row
  const isSellIncoming = takerSide === 'SELL'
  return { serial, marketId, outcomeId, price, shares, isSellIncoming, createdAt }
}
