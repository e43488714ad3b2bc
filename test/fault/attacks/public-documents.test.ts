// Anonymous requests for documents and metrics.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('requests for public documents do not slow down an operator', (t) =>
  assertFair(t, 'public-documents'))
