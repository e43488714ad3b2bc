// Resolving by payouts: a draw, a dead heat or a void, and what each share then pays.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, TestExchange } from '../../../test/support/core/exchange.ts'

/** Three outcomes; ann has a set of 10 and has sold some of the first to bob. */
function closed(): TestExchange {
  const exchange = new TestExchange()
  exchange.createMarket({ outcomes: ['Home', 'Away', 'Draw'] })
  exchange.manage('open')
  exchange.mint('ann', 10)
  exchange.sell('ann', 3.33, 0.4)
  exchange.buy('bob', 3.33, 0.4)
  exchange.manage('close')
  return exchange
}

describe('resolving by payouts', () => {
  test('pays each share what its outcome pays, and all sets exactly', () => {
    const exchange = closed()
    const { events } = exchange.resolveBy([
      [2, 0.3333],
      [0, 0.6667],
    ])
    const [home, away, draw] = exchange.market().books
    assert.partialDeepStrictEqual(events.at(-1)!, {
      eventType: 'MARKET_RESOLVED',
      payload: {
        winningOutcomeId: null,
        payouts: [
          { outcomeId: home!.id, payoutPerShare: 0.6667 },
          { outcomeId: away!.id, payoutPerShare: 0 },
          { outcomeId: draw!.id, payoutPerShare: 0.3333 },
        ],
      },
    })
    exchange.settle()
    const paid = exchange
      .continueJob()
      .events.flatMap(({ payload }) => ('totalPayout' in payload ? [payload] : []))
    assert.deepEqual(
      paid.map(({ playerId, shares, totalPayout }) => `${playerId} ${shares} ${totalPayout}`),
      ['ann 6.67 4.446889', 'ann 10 0', 'ann 10 3.333', 'bob 3.33 2.220111'],
    )
    assert.equal(exchange.status(), 'SETTLED')
    assert.equal(exchange.market().job?.payout.exact, 10_000_000n)
  })

  test('names no winner, even where one outcome gets everything', () => {
    const exchange = closed()
    assert.equal(exchange.resolveBy([[1, 1]]).code, null)
    assert.deepEqual(exchange.market().resolution?.payouts, [0, 10_000, 0])
    assert.equal(exchange.market().resolution?.winner, null)
  })

  for (const [what, payouts] of [
    ['add up to less than 1', [[0, 0.5]]],
    [
      'add up to more than 1',
      [
        [0, 0.5],
        [1, 0.5001],
      ],
    ],
    ['are none', []],
    [
      'name an outcome twice',
      [
        [0, 0.5],
        [0, 0.5],
      ],
    ],
    [
      'are below 0',
      [
        [0, 1.5],
        [1, -0.5],
      ],
    ],
    [
      'name an outcome of another market',
      [
        [0, 0.5],
        [3, 0.5],
      ],
    ],
  ] as const) {
    test(`is rejected where they ${what}`, () => {
      const exchange = closed()
      const { code, events } = exchange.resolveBy(payouts)
      assert.deepEqual([code, events.length], ['VALIDATION_ERROR', 0])
      assert.equal(exchange.status(), 'CLOSED')
    })
  }

  test('survives a restart half-way through the settlement', () => {
    const exchange = closed()
    exchange.resolveBy([
      [0, 0.25],
      [1, 0.25],
      [2, 0.5],
    ])
    exchange.settle()
    exchange.continueJob(2)
    exchange.restart()
    exchange.continueJob()
    assert.equal(exchange.status(), 'SETTLED')
    assert.equal(exchange.market().job?.payout.exact, 10_000_000n)
  })

  test('is for a CLOSED market only', () => {
    const { code } = newExchange().resolveBy([[0, 1]])
    assert.equal(code, 'MARKET_INVALID_TRANSITION')
  })
})
