// The route table decides from news that arrive late and in any order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RouteTable } from './routes.ts'

test('a beat of an owner that does not run the shard yet ends nothing', () => {
  const routes = new RouteTable()
  routes.setOwner(0, { nodeId: 'a', epoch: 7 })
  routes.setOwned('a', [])
  assert.deepEqual(routes.owner(0), { nodeId: 'a', epoch: 7 })
  routes.setOwned('a', [[0, 7]])
  assert.deepEqual(routes.owner(0), { nodeId: 'a', epoch: 7 })
})

test('a shard that its owner has named and names no more has no owner', () => {
  const routes = new RouteTable()
  routes.setOwned('a', [
    [0, 7],
    [1, 3],
  ])
  routes.setOwned('b', [])
  routes.setOwned('a', [[1, 3]])
  assert.equal(routes.owner(0), null)
  assert.deepEqual(routes.owner(1), { nodeId: 'a', epoch: 3 })
  // Older news arrive late.
  routes.setOwner(0, { nodeId: 'a', epoch: 7 })
  assert.equal(routes.owner(0), null)
  routes.setOwned('b', [[0, 8]])
  assert.deepEqual(routes.owner(0), { nodeId: 'b', epoch: 8 })
})
