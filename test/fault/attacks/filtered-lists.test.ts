// Lists with filters, on a large store.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('filtered lists on a large store do not slow down another operator', (t) =>
  assertFair(t, 'filtered-lists'))
