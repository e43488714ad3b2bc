// Mass cancels that match nothing, and exposures, on a large store.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('mass cancels and exposures on a large store do not slow down another operator', (t) =>
  assertFair(t, 'empty-cancels'))
