// Very many connections.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('many connections do not slow down an operator', (t) => assertFair(t, 'connections'))
