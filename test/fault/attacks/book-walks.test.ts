// Orders and previews that could match a large book as a whole.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('previews, FOK and post-only orders on a large book do not slow down another operator', (t) =>
  assertFair(t, 'book-walks'))
