// Two `settle` commands for one market at the same time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, codeOf, EngineFixture, firstOperatorId } from './engine-fixture.ts'

test('of two settles in one turn, the first settles and the second is rejected', async () => {
  const fixture = await EngineFixture.open()
  try {
    const market = await fixture.market()
    answerOf(await fixture.mint(market.id, 'ann', 1))
    const about = { operatorId: firstOperatorId, marketSerial: market.id }
    answerOf(await fixture.engine.submit('manage', { ...about, action: 'close' }))
    const verdict = { winningOutcomeSerial: market.outcomes[0]!, source: 'the news', notes: null }
    answerOf(await fixture.engine.submit('manage', { ...about, action: 'resolve', ...verdict }))
    const answers = fixture.engine.submitAll('settle', [about, about])
    const [first, second] = await Promise.all(answers)
    assert.equal(answerOf(first!).settled, 2)
    assert.equal(codeOf(second!), 'SETTLEMENT_ALREADY_COMPLETED')
  } finally {
    await fixture.close()
  }
})
