// Which requests are acts of management or administration, and what the audit log notes of them.

import type { FastifyRequest } from 'fastify'
import { assert } from '../../core/assert.ts'
import type { Concerned } from '../../store/store.ts'
import type { Act } from '../audit/audit-log.ts'
import { Done } from '../http/response.ts'
import { isLine } from '../parse/text.ts'
import { auditedActions, targetIdMax } from '../schemas/audit.ts'
import type { Scope } from '../schemas/operator.ts'
import type { Access, Description } from './describe.ts'

/** Asserts that the log knows the action, so that a new route is not forgotten. */
export function isAudited(route: Description, access: Access, scope: Scope | null): boolean {
  const { method, name, isAudited = access === 'admin' || scope === 'manage' } = route
  if (method === 'GET' || !isAudited) return false
  const isKnown = auditedActions.some((action) => action === name)
  assert(isKnown, `the audit log knows the action ${name}`)
  return true
}

export function actOf(
  { isHiddenFromOperator, name, path }: Description,
  request: FastifyRequest,
): Act {
  const { caller, callerKey, id: requestId } = request
  const params = idsIn(request.params)
  const query = idsIn(request.query)
  const body = textsIn(request.body)
  const isOfOperator = path.startsWith('/api/v1/admin/operators') && !isHiddenFromOperator
  // The last of the path: of a key, not the operator that it belongs to.
  const named = Object.values(params).at(-1) ?? query.marketId ?? query.outcomeId
  const noted = {
    operatorId: caller?.id ?? (isOfOperator ? (params.id?.toLowerCase() ?? null) : null),
    targetId: params.playerId ?? named?.toLowerCase() ?? query.playerId ?? null,
  }
  return {
    ...noted,
    keyId: callerKey?.id ?? null,
    keyLabel: callerKey?.label ?? null,
    action: name,
    reason: body.reason ?? body.resolutionSource ?? null,
    requestId,
    concernedOf: (answer): Concerned => {
      const created = answer instanceof Done && answer.status === 201 ? createdIn(answer) : null
      if (created === null) return noted
      return { operatorId: noted.operatorId ?? (isOfOperator ? created : null), targetId: created }
    },
  }
}

/** The id of the record in an answer, which may show it beside a key that was made with it. */
function createdIn({ data }: Done): string | null {
  const { operator, key, id = null } = data as Created
  return (operator ?? key)?.id ?? id
}

type Identified = { readonly id: string }
type Created = { readonly operator?: Identified; readonly key?: Identified; readonly id?: string }

type Texts = Readonly<Record<string, string | undefined>>

/** No schema has checked paths: a store may refuse their texts, and nothing has such an id. */
function idsIn(fields: unknown): Texts {
  const ids = Object.entries(textsIn(fields)).filter(
    ([, text = '']) => text.length <= targetIdMax && isLine(text),
  )
  return Object.fromEntries(ids)
}

function textsIn(fields: unknown): Texts {
  const texts = Object.entries(fields ?? {}).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts)
}
