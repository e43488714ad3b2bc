// Long bodies that are refused.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('long bodies that are refused do not slow down another operator', (t) =>
  assertFair(t, 'large-bodies'))
