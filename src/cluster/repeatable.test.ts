// Which commands are sent again when their answer is lost, and which may take any time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandKind } from '../engine/commands.ts'
import { isRepeatable, waitsForJob } from './repeatable.ts'

/** Whether a command of that kind is repeated does not depend on what it says. */
const isSentAgain = (kind: CommandKind) => isRepeatable(kind, {} as never)
const mayTakeLong = (kind: CommandKind) => waitsForJob(kind, {} as never)

test('a command that would be done twice, or rejected the second time, is not sent again', () => {
  const once = ['createMarket', 'createOrderGroup', 'resetOrderGroup', 'deleteOrderGroup'] as const
  for (const kind of [...once, 'clearDeadMan', 'cancelMany', 'amend'] as const) {
    assert.equal(isSentAgain(kind), false, kind)
  }
})

test('a brake, a switch and the limit of a group are sent again', () => {
  const again = ['changeControls', 'armDeadMan', 'limitOrderGroup', 'triggerOrderGroup'] as const
  for (const kind of again) assert.equal(isSentAgain(kind), true, kind)
})

test('what is answered when many orders are cancelled may take any time', () => {
  for (const kind of ['changeControls', 'triggerOrderGroup', 'deleteOrderGroup'] as const) {
    assert.equal(mayTakeLong(kind), true, kind)
  }
  for (const kind of ['place', 'armDeadMan', 'resetOrderGroup'] as const) {
    assert.equal(mayTakeLong(kind), false, kind)
  }
})
