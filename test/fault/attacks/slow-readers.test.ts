// Connections that ask for much and read nothing, or never finish a request.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('clients that read nothing do not slow down an operator', (t) => assertFair(t, 'slow-readers'))
