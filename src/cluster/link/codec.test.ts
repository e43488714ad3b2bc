// Commands and outcomes of every kind against their written form.

import { deepEqual, equal, throws } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { randomCommands } from '../../../test/support/cluster/random-commands.ts'
import type { CommandKind, Commands } from '../../engine/commands.ts'
import { commandCodec, isCommandKind, operatorOf } from './command-codec.ts'
import { decodeOutcome, encodeOutcome, type OwnerOutcome } from './outcome-codec.ts'

const rounds = 300
/** What follows them is read by later versions only. */
const placeFields = 11
const { random, commands, answers, rejects } = randomCommands(20_261_118)
const kinds = Object.keys(commands).filter(isCommandKind)

function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function checkCommand<Kind extends CommandKind>(kind: Kind): void {
  const command = commands[kind]()
  const codec = commandCodec(kind)
  deepEqual(codec.decode(sent(codec.encode(command))), command)
}

function checkTraced<Kind extends CommandKind>(kind: Kind): void {
  const command = commands[kind]()
  const codec = commandCodec(kind)
  const traced = { ...command, traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }
  const written = sent(codec.encode(traced))
  deepEqual(codec.decode(written), traced)
  // A node of an earlier version reads the fields that it knows, by their places.
  const plain = sent(codec.encode(command))
  if (!Array.isArray(plain)) return
  const fields = kind === 'place' ? plain.slice(0, placeFields) : plain
  deepEqual((written as unknown[]).slice(0, fields.length), fields)
}

function checkOutcome<Kind extends CommandKind>(
  kind: Kind,
  outcome: OwnerOutcome<Commands[Kind]['answer']>,
): void {
  const tuple = sent(encodeOutcome(kind, outcome)) as ReturnType<typeof encodeOutcome>
  deepEqual(decodeOutcome(kind, tuple), outcome)
}

function randomCost(): { readonly cost?: number } {
  return random.fraction() < 0.5 ? {} : { cost: random.between(0, 100) }
}

suite('the codecs of a link', () => {
  for (const kind of kinds) {
    test(`a ${kind} command and its answer arrive as they were sent`, () => {
      for (let round = 0; round < rounds; round++) {
        checkCommand(kind)
        checkTraced(kind)
        const result = { isAccepted: true as const, answer: answers[kind](), ...randomCost() }
        checkOutcome(kind, { kind: 'ANSWERED', result })
      }
    })
  }

  test('a rejection of every code arrives as it was sent', () => {
    for (const make of Object.values(rejects)) {
      for (let round = 0; round < 20; round++) {
        const replay = random.fraction() < 0.5 ? { isReplay: true as const } : {}
        const result = { isAccepted: false as const, reject: make(), ...randomCost(), ...replay }
        checkOutcome('place', { kind: 'ANSWERED', result })
      }
    }
  })

  test('every outcome without an answer arrives as it was sent', () => {
    checkOutcome('cancel', { kind: 'NOT_OWNER', owner: null })
    checkOutcome('cancel', { kind: 'NOT_OWNER', owner: { nodeId: 'b', epoch: 0 } })
    for (const kind of ['UNAVAILABLE', 'UNKNOWN', 'FAILED'] as const) {
      checkOutcome('cancel', { kind, message: 'the engine stops' })
    }
  })

  test('an outcome of a later version is an error, not a wrong answer', () => {
    throws(() => decodeOutcome('place', [9, 'later'] as never), RangeError)
    equal(isCommandKind('later'), false)
    equal(isCommandKind('toString'), false)
  })

  test('public queries count as the commands of one operator', () => {
    equal(operatorOf(commands.book()), '')
    const place = commands.place()
    equal(operatorOf(place), place.operatorId)
  })
})
