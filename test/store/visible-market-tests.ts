// The markets that a store lists for an operator are those that the rule of the core lets it see.

import assert from 'node:assert/strict'
import { isVisibleTo } from '../../src/core/state/access.ts'
import { marketStatuses } from '../../src/core/words.ts'
import { owner, participant, rows } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const currencies = ['USD', 'EUR']

/** A market for each combination of what the rule depends on. */
const markets = [owner, participant].flatMap((ownerNumber) =>
  [false, true].flatMap((isShared) =>
    marketStatuses.flatMap((status) =>
      currencies.map((currency) => ({ ownerNumber, isShared, status, currency })),
    ),
  ),
)
const numbered = markets.map((market, index) => ({ serial: 100 + index, ...market }))

export const visibleMarketTests: StoreTests = {
  'an operator sees the markets that the rule of the core names, and no others': async (
    fixture,
  ) => {
    await fixture.commit(
      ...numbered.map(({ isShared, status, ...market }) =>
        rows.market({
          ...market,
          isShared: isShared ? 1 : 0,
          status: marketStatuses.indexOf(status),
        }),
      ),
    )
    for (const operatorNumber of [owner, participant]) {
      for (const supported of [[], ['USD'], ['EUR'], ['USD', 'EUR'], ['GBP']]) {
        const page = await fixture.shard.reads.markets({
          operatorNumber,
          categoryId: null,
          statuses: null,
          search: null,
          sharedIn: supported,
          after: null,
          limit: 1_000,
        })
        const expected = numbered
          .filter(({ ownerNumber, ...market }) =>
            isVisibleTo({ ...market, isOwner: ownerNumber === operatorNumber }, supported),
          )
          .map(({ serial }) => serial)
          .reverse()
        const found = page.rows.map(({ serial }) => serial)
        assert.deepEqual(found, expected, `operator ${operatorNumber} with ${supported}`)
        assert.equal(page.total, expected.length)
      }
    }
  },
}
