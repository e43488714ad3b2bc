// The Idempotency-Key of a request, read before its body is validated.

import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { idempotencyKeyOf, keyNotAllowed, withTransactionId } from '../http/idempotency-key.ts'
import { fingerprintOfBody } from '../idempotency/fingerprint.ts'
import type { KeyedRequest } from '../idempotency/kept-answers.ts'
import type { KeyUse } from './describe.ts'
import { refuse } from './reply.ts'
import type { Hook } from './rest-admission.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** null if none was sent, or if the route does not keep its answers. */
    idempotencyKey: string | null
  }
}

/** Operators have UUIDs. */
const administrator = 'administrator'

export function keyReader(use: KeyUse): Hook {
  return (request, reply, done) => {
    if (use === 'IGNORED' || request.headers['idempotency-key'] === undefined) return done()
    const key = idempotencyKeyOf(valuesIn(request.raw.rawHeaders))
    if (key instanceof Refusal) return refuse(reply, key)
    if (use === 'REFUSED') return refuse(reply, keyNotAllowed)
    if (use === 'KEPT') request.idempotencyKey = key
    else if (key !== null) {
      const body = withTransactionId(request.body, key)
      if (body instanceof Refusal) return refuse(reply, body)
      request.body = body
    }
    done()
  }
}

// The framework shows several headers of one name as one value.
function valuesIn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => {
    return at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === 'idempotency-key'
  })
}

/** What identifies the request; called when its body is valid. */
export function keyOf(
  request: FastifyRequest,
  key: string,
): Pick<KeyedRequest, 'owner' | 'route' | 'key' | 'fingerprint' | 'isGone'> {
  const { caller, method, url, body, raw } = request
  return {
    owner: caller?.id ?? administrator,
    route: `${method} ${url.replace(/[?#].*$/s, '')}`,
    key,
    fingerprint: fingerprintOfBody(body ?? {}),
    isGone: () => raw.socket.destroyed,
  }
}
