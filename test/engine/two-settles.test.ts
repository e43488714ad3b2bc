// Two who settle a market at the same time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, codeOf, House, house } from './engine-fixture.ts'

test('of two settles in one turn the first settles, and the second finds it done', async () => {
  const open = await House.open()
  try {
    const market = await open.market()
    accepted(await open.mint(market.id, 'ann', 1))
    const about = { operatorId: house, marketSerial: market.id }
    accepted(await open.engine.submit('manage', { ...about, action: 'close' }))
    const verdict = { winningOutcomeSerial: market.outcomes[0]!, source: 'the news', notes: null }
    accepted(await open.engine.submit('manage', { ...about, action: 'resolve', ...verdict }))
    const answers = open.engine.submitAll('settle', [about, about])
    const [first, second] = await Promise.all(answers)
    assert.equal(accepted(first!).settled, 2)
    assert.equal(codeOf(second!), 'SETTLEMENT_ALREADY_COMPLETED')
  } finally {
    await open.close()
  }
})
