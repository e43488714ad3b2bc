// Mints in a market with 256 outcomes.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('mints in a market with 256 outcomes do not slow down another operator', (t) =>
  assertFair(t, 'large-mints'))
