// The limits on commands that wait for their outcome.

import { deepEqual, equal, match } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UnansweredCommands, unansweredMax, unansweredOfOperatorMax } from './unanswered.ts'

const commandOf = (shard: number, operatorId: string) => ({
  kind: 'place' as const,
  shard,
  operatorId,
  resolve: () => {},
})

function fill(commands: UnansweredCommands, operatorId: string, first: number): void {
  for (let number = first; number < first + unansweredOfOperatorMax; number++) {
    equal(commands.refusalOf(1, operatorId), null)
    commands.add(number, commandOf(1, operatorId))
  }
}

suite('unanswered commands', () => {
  test('an operator at its limit is refused, and the others are not', () => {
    const commands = new UnansweredCommands()
    fill(commands, 'a', 1)
    match(commands.refusalOf(1, 'a')!, /of this operator/)
    equal(commands.refusalOf(1, 'b'), null)
    equal(commands.refusalOf(2, 'a'), null)
  })

  test('a shard at its limit refuses everyone until a command is answered', () => {
    const commands = new UnansweredCommands()
    const operators = ['a', 'b']
    for (const [place, operator] of operators.entries()) {
      fill(commands, operator, place * unansweredOfOperatorMax)
    }
    equal(commands.size, unansweredMax)
    match(commands.refusalOf(1, 'e')!, /too many commands wait/)
    equal(commands.refusalOf(2, 'e'), null)
    equal(commands.remove(0)?.operatorId, 'a')
    equal(commands.refusalOf(1, 'e'), null)
    equal(commands.refusalOf(1, 'a'), null)
  })

  test('a command has one outcome', () => {
    const commands = new UnansweredCommands()
    commands.add(7, commandOf(1, 'a'))
    equal(commands.remove(7)?.shard, 1)
    equal(commands.remove(7), undefined)
  })

  test('when the link breaks, all are returned in their order and nothing is counted', () => {
    const commands = new UnansweredCommands()
    fill(commands, 'a', 1)
    const numbers = commands.removeAll().map(([number]) => number)
    deepEqual(
      numbers,
      Array.from({ length: unansweredOfOperatorMax }, (_, place) => place + 1),
    )
    equal(commands.size, 0)
    equal(commands.refusalOf(1, 'a'), null)
  })
})
