// Dead-man switches.

import { type Static, Type } from 'typebox'
import { deadManTimeoutMsMax, deadManTimeoutMsMin } from '../../core/orders/dead-man.ts'
import { nullable, PlayerId, record, request, Time, words } from './fields.ts'

export const ArmDeadManBody = request(
  'ArmDeadMan',
  {
    timeoutMs: Type.Integer({
      minimum: deadManTimeoutMsMin,
      maximum: deadManTimeoutMsMax,
      description: 'The switch is triggered so long after the last time that it was armed.',
    }),
    playerId: Type.Optional(
      Type.String({ ...PlayerId, description: 'The whole operator if omitted.' }),
    ),
  },
  { example: { timeoutMs: 10_000 } },
)
export type ArmDeadManBody = Static<typeof ArmDeadManBody>

export const DeadMan = record('DeadMan', {
  playerId: nullable(Type.String({ description: 'null for the whole operator.' })),
  state: words(['ARMED', 'TRIGGERED']),
  deadline: Type.String({ ...Time, description: 'When it is, or was, triggered.' }),
  timeoutMs: Type.Integer(),
})
export type DeadMan = Static<typeof DeadMan>

export const DeadManQuery = Type.Object({
  playerId: Type.Optional(
    Type.String({ ...PlayerId, description: 'The whole operator if omitted.' }),
  ),
})
