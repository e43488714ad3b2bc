// The dead-man switch in OrderService.

import type { DeadManAnswer } from '../../engine/commands.ts'
import { invalidFields, Refusal, refusalOf } from '../errors.ts'
import { presentStored } from '../faults.ts'
import { presentDeadMan } from '../present/dead-man.ts'
import { ArmDeadManBody, DeadManQuery } from '../schemas/dead-man.ts'
import { faultFinder } from '../validate/faults-in.ts'
import { strictAjv } from '../validate/validation.ts'
import type { Calls } from './calls.ts'
import type { GrpcContext } from './context.ts'
import { type DeadMan, OrderServiceService as service } from './generated/outcry/v1/outcry.ts'
import { deadManStates } from './words.ts'

export function addDeadMan(calls: Calls, { shards }: GrpcContext): void {
  const writing = { scope: 'trade', bucket: 'cancels' } as const
  calls.operator(service.armDeadMan, writing, async (request, operator) => {
    const { timeoutMs } = request
    const playerId = request.playerId || undefined
    const body = readArm({ timeoutMs, ...(playerId === undefined ? {} : { playerId }) })
    if (body instanceof Refusal) return body
    const command = { operatorId: operator.id, timeoutMs, playerId: playerId ?? null }
    const result = await shards.of(operator).submit('armDeadMan', command)
    if (!result.isAccepted) return refusalOf(result.reject)
    return presentStored(() => deadManMessage(result.answer))
  })

  const reading = { scope: 'read', bucket: 'requests' } as const
  calls.operator(service.getDeadMan, reading, async (request, operator) => {
    const playerId = readScope(request)
    if (playerId instanceof Refusal) return playerId
    const query = { operatorId: operator.id, playerId }
    const result = await shards.of(operator).submit('deadMan', query)
    return result.isAccepted ? deadManMessage(result.answer) : refusalOf(result.reject)
  })

  calls.operator(service.clearDeadMan, writing, async (request, operator) => {
    const playerId = readScope(request)
    if (playerId instanceof Refusal) return playerId
    const command = { operatorId: operator.id, playerId }
    const result = await shards.of(operator).submit('clearDeadMan', command)
    return result.isAccepted ? {} : refusalOf(result.reject)
  })
}

function reader(schema: object): (value: object) => object | Refusal {
  const validate = strictAjv.compile(schema)
  const faultsIn = faultFinder(schema, 'request')
  return (value) => (validate(value) ? value : invalidFields(faultsIn(value, validate.errors![0]!)))
}

const readArm = reader(ArmDeadManBody)
const readQuery = reader(DeadManQuery)

/** The player; null for the whole operator. */
function readScope(request: { readonly playerId?: string | undefined }): string | null | Refusal {
  const playerId = request.playerId || null
  const read = readQuery(playerId === null ? {} : { playerId })
  return read instanceof Refusal ? read : playerId
}

function deadManMessage(answer: DeadManAnswer): DeadMan {
  const { playerId, state, deadline, timeoutMs } = presentDeadMan(answer)
  const shown = { state: deadManStates.numberOf(state), deadline, timeoutMs }
  return { playerId: playerId ?? undefined, ...shown }
}
