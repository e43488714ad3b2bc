// Invalid orders among many valid ones affect no other order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type Json, Service } from '../../support/process/outcry-process.ts'
import { serviceOptions } from '../support/process-options.ts'
import { openMarket } from '../support/trading-fixture.ts'

/** About a full turn. */
const validOrders = 480
const elsewhere = '019a8a30-1c00-7000-8000-000000000002'

test('invalid orders in a full turn are rejected, and the valid ones are accepted', async () => {
  const service = await Service.start(serviceOptions())
  try {
    const trader = await service.newOperator()
    const { key } = trader
    const market = await openMarket(service, trader)
    const other = await openMarket(service, trader)
    const about = { marketId: market.id, outcomeId: market.outcomeIds[0] }
    const terms = { side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }
    const good = { ...about, ...terms, playerId: 'ann' }
    const poison = poisonOf(good, other.outcomeIds[0]!)
    const send = (body: string | Json) => service.request('POST', '/api/v1/orders', { key, body })
    const sent: Promise<Answer>[] = []
    const bad: Promise<Answer>[] = []
    for (let number = 0; number < validOrders; number += 1) {
      sent.push(send({ ...good, playerId: `player-${number}`, transactionId: `good-${number}` }))
      if (number % 16 === 0) bad.push(send(poison[(number / 16) % poison.length]!))
    }
    const answers = await Promise.all(sent)
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status !== 201),
      [],
    )
    for (const { status, body } of await Promise.all(bad)) {
      assert.ok(status >= 400 && status < 500, `${status} ${JSON.stringify(body)}`)
      assert.equal(body.success, false)
    }
    const { body } = await service.request('GET', '/api/v1/orders?limit=1', { key })
    assert.equal(body.data.total, validOrders)
    assert.doesNotMatch(service.printed(), /"level":"error"/)
  } finally {
    await service.stop()
  }
})

/** Each is invalid for another reason. As texts, because some are not valid JSON. */
function poisonOf(good: Json, foreignOutcome: string): string[] {
  const objects = [
    { ...good, playerId: 'a\u0000b' },
    { ...good, playerId: '\ud800' },
    { ...good, playerId: 'a\udc00' },
    { ...good, transactionId: '\u0000' },
    { ...good, transactionId: 'x\ud83d' },
    { ...good, playerId: 'x'.repeat(100_000) },
    { ...good, playerId: '' },
    { ...good, shares: 1e308 },
    { ...good, shares: 2 ** 53 },
    { ...good, shares: -1 },
    { ...good, shares: 1.001 },
    { ...good, price: 1e300 },
    { ...good, price: 5e-324 },
    { ...good, price: 0.30001 },
    { ...good, outcomeId: elsewhere },
    { ...good, outcomeId: foreignOutcome },
    { ...good, marketId: elsewhere },
    { ...good, marketId: '\u0000' },
    { ...good, side: 'HOLD' },
    { ...good, expiresAt: '1970-01-01T00:00:00Z' },
    { ...good, expiresAt: '+275760-09-13T00:00:00.001Z' },
    { ...good, surprise: true },
    { ...good, shares: '1' },
    [good],
    null,
  ]
  const texts = objects.map((object) => JSON.stringify(object))
  const plain = JSON.stringify(good)
  return [
    ...texts,
    plain.replace('"shares":1', '"shares":1e999'),
    plain.replace('"shares":1', '"shares":NaN'),
    plain.replace('{', '{"__proto__":{"price":0.9},'),
    plain.slice(0, -1),
    '['.repeat(10_000),
  ]
}
