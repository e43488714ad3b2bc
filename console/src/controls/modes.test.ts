import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Brake } from '../wire.ts'
import { strictestOf } from './modes.ts'

const open = brakeOf('OPEN')
const reducing = brakeOf('REDUCE_ONLY')
const halted = brakeOf('HALTED')

test('the strictest brake is in force, of equal ones that of the exchange', () => {
  assert.equal(inForce(null, null), null)
  assert.equal(inForce(open, open), null)
  assert.equal(inForce(reducing, open), 'EXCHANGE REDUCE_ONLY')
  assert.equal(inForce(open, reducing), 'OPERATOR REDUCE_ONLY')
  assert.equal(inForce(reducing, halted), 'OPERATOR HALTED')
  assert.equal(inForce(halted, reducing), 'EXCHANGE HALTED')
  assert.equal(inForce(halted, halted), 'EXCHANGE HALTED')
})

function inForce(exchange: Brake | null, operator: Brake | null): string | null {
  const found = strictestOf([
    { scope: 'EXCHANGE', brake: exchange },
    { scope: 'OPERATOR', brake: operator },
  ])
  return found === null ? null : `${found.scope} ${found.mode}`
}

function brakeOf(mode: Brake['mode']): Brake {
  return { mode, reason: mode === 'OPEN' ? null : 'A test', until: null, updatedAt: null }
}
