// What another node receives about a command that has failed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommitUnknown, NotOwner, Unavailable } from '../../engine/commands.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { failureOutcome } from './outcomes.ts'

test('a command is unavailable if the owner cannot read the store, as at the owner itself', () => {
  for (const error of [new Unavailable('no'), new StoreUnavailable('no')]) {
    assert.deepEqual(failureOutcome(error), { kind: 'UNAVAILABLE', message: 'no' })
  }
})

test('an unknown outcome, another owner and a bug are distinguished', () => {
  assert.deepEqual(failureOutcome(new CommitUnknown('no')), { kind: 'UNKNOWN', message: 'no' })
  assert.deepEqual(failureOutcome(new NotOwner()), { kind: 'NOT_OWNER', owner: null })
  assert.deepEqual(failureOutcome(new TypeError('no')), { kind: 'FAILED', message: 'no' })
})
