// Loads the shard into the core as a start does, and checks the invariants of the core in memory.

import { BrokenInvariant } from '../../../core/assert.ts'
import { type FeeRate, type Price, type Shares, sharesCeiling } from '../../../core/money.ts'
import { check } from '../../../core/snapshot/check.ts'
import { load } from '../../../core/snapshot/load.ts'
import { Exchange } from '../../../core/state/exchange.ts'
import { recordsIn } from '../load-shard.ts'
import type { Check } from './check.ts'

/** The widest limits that a configuration may set. */
const widestRules = {
  sharesMin: 1 as Shares,
  sharesMax: sharesCeiling,
  priceMin: 1 as Price,
  priceMax: 9_999 as Price,
  feeRate: 0 as FeeRate,
}

export const rulesCheck: Check = {
  name: 'rules',
  *run({ ids, shard, statements }) {
    const exchange = new Exchange(widestRules, ids)
    try {
      load(exchange, recordsIn(statements, shard))
      check(exchange)
    } catch (error) {
      if (!(error instanceof BrokenInvariant)) throw error
      yield `The shard cannot be loaded: it does not hold that ${error.message}.`
    }
  },
}
