// How the results of a turn are split into messages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placement } from '../../../test/support/grpc/grpc-placement.ts'
import { PlaceOrdersResponse } from './generated/outcry/v1/outcry.ts'
import { portionsOf, recordsPerMessageMax } from './placing-stream.ts'

const resultWith = (clientId: string, trades: number) => ({
  clientId,
  result: { $case: 'response', value: placement(trades) } as const,
  idempotentReplayed: false,
})
/** What a client accepts by default. */
const messageBytesMax = 4 * 1024 * 1024

test('results stay in order, each in one message, and every message can be received', () => {
  const results = Array.from({ length: 100 }, (_, at) => resultWith(String(at), at * 20))
  const portions = [...portionsOf(results)]
  assert.ok(portions.length > 1)
  assert.deepEqual(portions.flat(), results)
  for (const portion of portions) {
    const { length } = PlaceOrdersResponse.encode({ results: portion }).finish()
    assert.ok(length <= messageBytesMax, `${length} bytes`)
  }
})

test('a result with more trades than a message should hold is sent alone', () => {
  const results = [resultWith('a', 1), resultWith('b', recordsPerMessageMax), resultWith('c', 1)]
  assert.deepEqual(
    [...portionsOf(results)].map((portion) => portion.length),
    [1, 1, 1],
  )
  assert.deepEqual([...portionsOf([])], [])
})
