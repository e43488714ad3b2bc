// Markets with as much text as a request may have.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('large markets do not slow down another operator, and end with OPERATOR_LIMIT', (t) =>
  assertFair(t, 'large-markets'))
