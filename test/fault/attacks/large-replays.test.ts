// Repeated batches of orders that each made hundreds of trades.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('repeated batches of orders with many trades do not slow down another operator', (t) =>
  assertFair(t, 'large-replays'))
