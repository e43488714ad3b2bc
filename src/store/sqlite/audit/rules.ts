// The last word is the core's: the shard is loaded as a start would load it, and everything that
// must always hold there is checked in memory.

import { BrokenInvariant } from '../../../core/assert.ts'
import { type FeeRate, type Price, type Shares, sharesCeiling } from '../../../core/money.ts'
import { check } from '../../../core/snapshot/check.ts'
import { load } from '../../../core/snapshot/load.ts'
import { Exchange } from '../../../core/state/exchange.ts'
import { recordsIn } from '../load-shard.ts'
import type { Check } from './check.ts'

/** Whatever an installation allows is within these. */
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
      yield `The shard cannot go on from here: it does not hold that ${error.message}.`
    }
  },
}
