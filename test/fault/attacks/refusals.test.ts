// Clients that ignore their refusals.

import { test } from 'node:test'
import { assertFair } from './support/assert-fair.ts'

test('refused orders, pipelined without end, do not slow down another operator', (t) =>
  assertFair(t, 'refused-orders'))

test('refused reads, pipelined without end, do not slow down another operator', (t) =>
  assertFair(t, 'refused-reads'))

test('wrong keys, pipelined without end, do not slow down an operator', (t) =>
  assertFair(t, 'refused-keys'))
