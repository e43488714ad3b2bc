// Stores that are filled before a bench starts have the contents that a service would have stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderRequests } from '../../bench/http/order-requests.ts'
import { startService } from '../../bench/http/servers-under-test.ts'
import { fillStore, removeStore, trading } from '../../bench/store/filled-store.ts'
import { auditFolder } from '../../src/store/sqlite/audit/audit.ts'

test('a filled store passes the audit, and a service started on it serves its orders', async () => {
  const store = await fillStore({ ...trading(300), markets: 3 })
  try {
    const { counts, violations } = await auditFolder(store.folder, {})
    assert.deepEqual(violations, [])
    assert.deepEqual([counts.markets, counts.orders, counts.trades], [3, 300, 150])
    const service = await startService('src/main.ts', { rounds: 1, store })
    try {
      const url = `http://127.0.0.1:${service.port}/api/v1/orders?status=FILLED`
      const response = await fetch(url, { headers: { 'x-api-key': store.apiKey } })
      const answer: { readonly data: { readonly total: number } } = JSON.parse(
        await response.text(),
      )
      assert.equal(answer.data.total, 300)
    } finally {
      await service.stop()
    }
  } finally {
    removeStore(store)
  }
})

test('a store filled with resting orders holds no trades', async () => {
  const store = await fillStore({ ...trading(200, { isResting: true }), markets: 2 })
  try {
    const { counts, violations } = await auditFolder(store.folder, {})
    assert.deepEqual([violations, counts.orders, counts.trades], [[], 200, 0])
  } finally {
    removeStore(store)
  }
})

test('requests for many markets come in matching pairs and reach every market', () => {
  const markets = ['one', 'two', 'three'].map((marketId) => ({
    marketId,
    outcomeIds: [`${marketId}-yes`, `${marketId}-no`],
    holders: ['ann', 'ben'],
  }))
  const target = { port: 1, apiKey: 'key', ...markets[0]!, markets }
  const requests = orderRequests(target, { seed: 1, count: 60, hasTransactionIds: false })
  const orders = requests.map((request) => JSON.parse(String(request).split('\r\n\r\n')[1]!))
  assert.equal(orders.length, 60)
  assert.equal(new Set(orders.map(({ marketId }) => marketId)).size, 3)
  for (let at = 0; at < orders.length; at += 2) {
    const { side, playerId, ...buy } = orders[at]
    const { side: other, playerId: seller, ...sell } = orders[at + 1]
    assert.deepEqual([side, other], ['BUY', 'SELL'])
    assert.deepEqual(buy, sell)
  }
})
