// Which Accept headers prefer problem details.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersProblem } from './accept.ts'

test('problem details are preferred where they are named and rank first', () => {
  for (const accept of [
    'application/problem+json',
    'Application/Problem+JSON; charset=utf-8',
    'application/problem+json, application/json',
    'application/problem+json, */*',
    'application/json;q=0.5, application/problem+json',
    'text/html, application/problem+json;q=0.9, application/json;q=0.8',
    'application/*;q=0.1, application/problem+json;q=0.2',
  ]) {
    assert.ok(prefersProblem(accept), accept)
  }
})

test('everything else means the envelope', () => {
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'application/json, application/problem+json',
    'application/problem+json;q=0.5, application/json',
    'application/problem+json;q=0.5, */*',
    'application/problem+json;q=0',
    'application/problem+json;q=2',
    'application/problem+xml',
    `${'text/html, '.repeat(200)}application/problem+json`,
  ]) {
    assert.ok(!prefersProblem(accept), String(accept))
  }
})
