// Who may ask, and how often. Runs before the body is read: a stranger's body is nobody's business.

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { OperatorRow } from '../../store/store.ts'
import { Refusal } from '../errors.ts'
import type { Scope } from '../schemas/operator.ts'
import type { Context } from './context.ts'
import { refuse } from './deliver.ts'
import { TokenBuckets } from './token-buckets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator whose key was sent; null on routes that take none. */
    caller: OperatorRow | null
  }
}

export type BucketName = 'orders' | 'cancels' | 'requests'
export type Hook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void

const missingKey = new Refusal('UNAUTHORIZED', 'The header X-Api-Key is missing.')
const unknownKey = new Refusal('UNAUTHORIZED', 'The key in X-Api-Key is not valid.')
const missingAdmin = new Refusal('UNAUTHORIZED', 'The header X-Admin-Key is missing.')
const unknownAdmin = new Refusal('UNAUTHORIZED', 'The key in X-Admin-Key is not valid.')
const tooMany = new Refusal('RATE_LIMITED', 'Too many requests; try again a little later.')
const inactive = new Refusal('FORBIDDEN', 'The operator is not active.')

export class Guard {
  readonly #context: Context
  readonly #buckets: Readonly<Record<BucketName | 'public', TokenBuckets | null>>

  constructor(context: Context) {
    this.#context = context
    const { limits } = context
    this.#buckets = {
      orders: bucketsOf(limits.orders),
      cancels: bucketsOf(limits.orders),
      requests: bucketsOf(limits.requests),
      public: bucketsOf(limits.public),
    }
  }

  operator(scope: Scope, bucket: BucketName): Hook {
    const outOfScope = new Refusal('FORBIDDEN', `The key does not have the scope "${scope}".`)
    const { keys } = this.#context.registry
    const buckets = this.#buckets[bucket]
    return (request, reply, done) => {
      const apiKey = request.headers['x-api-key']
      const found = typeof apiKey === 'string' ? keys.authenticate(apiKey) : null
      if (found === null) {
        this.#refuseStranger(request, reply, apiKey === undefined ? missingKey : unknownKey)
      } else if (!found.operator.isActive) {
        refuse(reply, inactive)
      } else if (!found.key.scopes.includes(scope)) {
        refuse(reply, outOfScope)
      } else if (this.#passes(buckets, found.operator.id, reply)) {
        request.caller = found.operator
        done()
      }
    }
  }

  /** Counts the further parts of a request that counted once: each order of a batch. */
  charge(bucket: BucketName, request: FastifyRequest, more: number): Refusal | null {
    const buckets = this.#buckets[bucket]
    if (buckets === null || more === 0 || request.caller === null) return null
    const verdict = buckets.takeMore(request.caller.id, this.#context.now(), more)
    const { answerHeaders } = request
    setHeader(answerHeaders, 'ratelimit-remaining', verdict.remaining)
    setHeader(answerHeaders, 'ratelimit-reset', verdict.resetSeconds)
    if (verdict.isTaken) return null
    setHeader(answerHeaders, 'retry-after', Math.max(1, verdict.retrySeconds))
    return tooMany
  }

  admin(): Hook {
    return (request, reply, done) => {
      const key = request.headers['x-admin-key']
      if (typeof key === 'string' && this.#context.isAdmin(key)) done()
      else this.#refuseStranger(request, reply, key === undefined ? missingAdmin : unknownAdmin)
    }
  }

  public(): Hook {
    return (request, reply, done) => {
      if (this.#passes(this.#buckets.public, request.ip, reply)) done()
    }
  }

  // Whoever has no key counts as the public. A right key always passes: behind one address there
  // may be many callers. Keys are too long to be guessed at any rate.
  #refuseStranger(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
    if (this.#passes(this.#buckets.public, request.ip, reply)) refuse(reply, refusal)
  }

  /** If not, the caller is told so already. */
  #passes(buckets: TokenBuckets | null, key: string, reply: FastifyReply): boolean {
    if (buckets === null) return true
    const verdict = buckets.take(key, this.#context.now())
    const { answerHeaders } = reply.request
    answerHeaders.push('ratelimit-limit', String(buckets.capacity))
    answerHeaders.push('ratelimit-remaining', String(verdict.remaining))
    answerHeaders.push('ratelimit-reset', String(verdict.resetSeconds))
    if (verdict.isTaken) return true
    answerHeaders.push('retry-after', String(verdict.retrySeconds))
    refuse(reply, tooMany)
    return false
  }
}

// Names and values by turns.
function setHeader(headers: string[], name: string, value: number): void {
  const at = headers.indexOf(name)
  if (at < 0) headers.push(name, String(value))
  else headers[at + 1] = String(value)
}

function bucketsOf(perSecond: number): TokenBuckets | null {
  return perSecond === 0 ? null : new TokenBuckets({ capacity: perSecond, perSecond })
}
