// The limits on what an operator has that has not ended.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant, TestExchange } from '../../../test/support/core/exchange.ts'

const bytesPerMb = 1024 * 1024
const threeNames = ['Rain', 'Sun', 'Snow']
const marketLimit = { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_MARKETS', max: 2 }
const outcomeLimit = { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_OUTCOMES', max: 5 }
const textLimit = { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_TEXT_MB', max: 1 }

describe('the markets of an operator', () => {
  test('are rejected beyond the maximum, and those of another operator are not', () => {
    const exchange = new TestExchange({ operatorMarketsMax: 2 })
    exchange.createMarket()
    exchange.createMarket()
    assert.deepEqual(exchange.createMarket().reject, marketLimit)
    assert.equal(exchange.createMarket({ operator: participant }).code, null)
  })

  test('that are rejected change nothing', () => {
    const exchange = new TestExchange({ operatorMarketsMax: 1 })
    exchange.createMarket()
    const { hash } = exchange
    exchange.createMarket()
    assert.equal(exchange.hash, hash)
  })

  test('have no maximum where it is 0', () => {
    const none = { operatorMarketsMax: 0, operatorOutcomesMax: 0, operatorTextMbMax: 0 }
    const exchange = new TestExchange(none)
    for (let count = 0; count < 3; count += 1) {
      assert.equal(exchange.createMarket({ description: 'x'.repeat(bytesPerMb) }).code, null)
    }
  })

  test('count until a cancelled one has no open orders left', () => {
    const exchange = newExchange({}, { operatorMarketsMax: 1 })
    exchange.buy('ann', 10, 0.4)
    exchange.buy('bob', 10, 0.4)
    exchange.manage('cancel')
    exchange.continueJob(1)
    assert.equal(exchange.createMarket().code, 'OPERATOR_LIMIT')
    exchange.continueJob(1)
    assert.equal(exchange.createMarket().code, null)
    assert.equal(exchange.createMarket().code, 'OPERATOR_LIMIT')
  })

  test('count until they are settled', () => {
    const exchange = newExchange({}, { operatorMarketsMax: 1 })
    exchange.manage('close')
    exchange.manage('resolve')
    assert.equal(exchange.createMarket().code, 'OPERATOR_LIMIT')
    exchange.settle()
    exchange.continueJob()
    exchange.continueJob()
    assert.equal(exchange.createMarket().code, null)
  })

  test('that exceed a lowered maximum stay and can be managed', () => {
    const exchange = newExchange()
    exchange.createMarket()
    exchange.restart(exchange.save(), { operatorMarketsMax: 1, operatorOutcomesMax: 1 })
    assert.equal(exchange.createMarket().code, 'OPERATOR_LIMIT')
    assert.equal(exchange.editMarket({ title: 'Another' }).code, null)
    assert.equal(exchange.manage('open').code, null)
  })
})

test('outcomes are rejected beyond the maximum of all markets together', () => {
  const exchange = new TestExchange({ operatorOutcomesMax: 5 })
  exchange.createMarket({ outcomes: threeNames })
  assert.deepEqual(exchange.createMarket({ outcomes: threeNames }).reject, outcomeLimit)
  assert.equal(exchange.createMarket().code, null)
  assert.deepEqual(exchange.createMarket().reject, outcomeLimit)
})

describe('text', () => {
  /** Title, names and descriptions of the outcomes of the market below. */
  const inOutcomes = 'RainSunSnow'.length + 'About RainAbout SunAbout Snow'.length
  const rest = bytesPerMb - 'Will it rain?'.length - inOutcomes

  test('is counted in bytes of UTF-8, over all fields', () => {
    const texts = { imageUrl: 'https://x', metadata: '{"é":"😀"}' }
    const free = rest - 'https://x'.length - Buffer.byteLength(texts.metadata)
    const most = `${'é'.repeat(10)}${'x'.repeat(free - 20)}`
    const exchange = new TestExchange({ operatorTextMbMax: 1 })
    const create = (description: string) =>
      exchange.createMarket({ ...texts, outcomes: threeNames, description })
    assert.deepEqual(create(`${most}x`).reject, textLimit)
    assert.equal(create(most).code, null)
  })

  test('of an edit is rejected beyond the maximum, and less text never is', () => {
    const exchange = new TestExchange({ operatorTextMbMax: 1 })
    exchange.createMarket({ outcomes: threeNames, description: 'x'.repeat(rest - 1) })
    assert.deepEqual(exchange.editMarket({ metadata: '{}' }).reject, textLimit)
    assert.equal(exchange.editMarket({ imageUrl: 'y' }).code, null)
    assert.deepEqual(exchange.editMarket({ title: 'Will it rain??' }).reject, textLimit)
    exchange.restart()
    assert.deepEqual(exchange.editMarket({ metadata: '{}' }).reject, textLimit)
    assert.equal(exchange.editMarket({ title: 'Will it hail?' }).code, null)
    assert.equal(exchange.editMarket({ imageUrl: null, metadata: '1' }).code, null)
  })

  test('of a market that has ended does not count and is not limited', () => {
    const exchange = newExchange({ description: 'x'.repeat(rest) }, { operatorTextMbMax: 1 })
    exchange.manage('cancel')
    exchange.continueJob()
    assert.equal(exchange.editMarket({ metadata: 'x'.repeat(2 * bytesPerMb) }).code, null)
    assert.equal(exchange.createMarket({ description: 'x'.repeat(rest) }).code, null)
  })
})
