// Anonymous stream clients that subscribe again and again.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('repeated subscriptions without a key do not slow down an operator', (t) =>
  assertFair(t, 'resubscriptions'))
