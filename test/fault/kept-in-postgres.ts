// What a database on PostgreSQL keeps, looked at without the service: complete sets, whether the
// turns follow each other, and whether the rules could go on from there.

import { check } from '../../src/core/check.ts'
import { Exchange } from '../../src/core/exchange.ts'
import { Ids } from '../../src/core/ids.ts'
import { load } from '../../src/core/load.ts'
import { loadShard } from '../../src/store/postgres/load-shard.ts'
import { ask } from '../support/postgres-databases.ts'
import { usualRules } from '../support/steps.ts'
import { type Kept, setsOf, setsText } from './verify.ts'

export function keptIn(url: string): Kept {
  return {
    sets: async () => setsOf(await ask(url, setsText)),
    audit: async () => [
      ...(await brokenChain(url)),
      ...(await wrongSums(url)),
      ...(await brokenRules(url)),
    ],
  }
}

async function brokenChain(url: string): Promise<string[]> {
  const rows = await ask<{ seq_from: string; before: string | null }>(
    url,
    `SELECT * FROM (
       SELECT seq_from, epoch, lag(seq_to) OVER turns AS before, lag(epoch) OVER turns AS epoch_before
       FROM batches WINDOW turns AS (ORDER BY batch)
     ) AS turns WHERE seq_from <> before OR epoch < epoch_before`,
  )
  return rows.map(({ seq_from, before }) => `a turn from ${seq_from} follows one to ${before}`)
}

async function wrongSums(url: string): Promise<string[]> {
  const rows = await ask<{ serial: string }>(
    url,
    `SELECT o.serial FROM orders AS o LEFT JOIN (
       SELECT serial, sum(shares) AS shares FROM (
         SELECT buy_order AS serial, shares FROM trades
         UNION ALL SELECT sell_order, shares FROM trades
       ) AS sides GROUP BY serial
     ) AS traded ON traded.serial = o.serial
     WHERE o.filled <> coalesce(traded.shares, 0)`,
  )
  return rows.map(({ serial }) => `order ${serial} is not filled by its trades`)
}

async function brokenRules(url: string): Promise<string[]> {
  const { records } = await loadShard({ url, shard: 0, keysFrom: 0 })
  const exchange = new Exchange(usualRules, new Ids({ shard: 0, key: [1, 2] }))
  try {
    load(exchange, records)
    check(exchange)
    return []
  } catch (error) {
    return [`the rules cannot go on: ${error}`]
  }
}
