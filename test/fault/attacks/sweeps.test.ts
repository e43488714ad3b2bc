// Batches of orders that each match thousands of resting orders.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('batches that sweep a large book do not slow down another operator', (t) =>
  assertFair(t, 'sweeps'))
