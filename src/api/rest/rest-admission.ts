// Admission of REST requests, before their body is read: by API key or administrator key, and by
// rate limit.

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Result } from '../../engine/commands.ts'
import { costOfResult } from '../../engine/cost.ts'
import type { KeyRow, OperatorRow } from '../../store/store.ts'
import { type AddressBucket, type BucketName, outOfTouch, tooMany } from '../admission/admission.ts'
import type { Caller } from '../admission/caller.ts'
import type { Verdict } from '../admission/token-buckets.ts'
import { Refusal } from '../errors.ts'
import type { Scope } from '../schemas/operator.ts'
import type { Context } from './context.ts'
import { refuse, refusePaced } from './reply.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator whose key was sent; null on routes without a key. */
    caller: OperatorRow | null
    /** That key; null on routes without a key. */
    callerKey: KeyRow | null
    /** The rate limit that the request of an operator counts towards. */
    bucket: BucketName
    /** The address of the client, also behind trusted proxies. */
    readonly clientAddress: string
    /** What was counted for its body beyond the first unit. */
    bodyCost: number
  }
}

export type Hook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void

/** A request that was admitted; its response headers alternate names and values. */
type Charged = { readonly caller: OperatorRow; readonly headers: string[] }

/** A command that was carried out, and what was counted for it before. */
export type ChargedCommand = { readonly result: Result<unknown>; readonly counted?: number }

/** A body is parsed and validated on the main thread: so many bytes cost 1. */
const bytesPerUnit = 1_024

/** What a body costs beyond the first unit. */
export function costOfBody(bytes: number): number {
  return Math.floor(bytes / bytesPerUnit)
}

const missingAdmin = new Refusal(
  'UNAUTHORIZED',
  'The administrator key is missing; send it as X-Admin-Key.',
)
const unknownAdmin = new Refusal('UNAUTHORIZED', 'The administrator key is wrong.')

export class RestAdmission {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  callerOf(apiKey: unknown, scope: Scope | null): Caller | Refusal {
    return this.#context.admission.authenticate(apiKey, scope)
  }

  /** A scope of null admits a key with any scope. */
  operator(scope: Scope | null, bucket: BucketName): Hook {
    const { admission } = this.#context
    return (request, reply, done) => {
      const caller = admission.authenticate(request.headers['x-api-key'], scope)
      if (!(caller instanceof Refusal)) {
        if (!this.#passes(bucket, caller.operator.id, reply)) return
        request.caller = caller.operator
        request.callerKey = caller.key
        request.bucket = bucket
        done()
      } else if (caller.code === 'UNAUTHORIZED') {
        this.#refuseUnknown(request, reply, caller)
      } else {
        refusePaced(reply, request.clientAddress, caller)
      }
    }
  }

  /**
   * Counts what a request costs beyond the first unit, before it is carried out. Part of it may
   * have been counted for the body.
   */
  charge(
    bucket: BucketName,
    { caller, headers }: Charged,
    { more, counted = 0 }: { readonly more: number; readonly counted?: number },
  ): Refusal | null {
    if (more <= counted) return null
    const verdict = this.#context.admission.consumeMore(bucket, caller.id, more, counted)
    if (verdict === null) return null
    showVerdict(headers, verdict)
    if (verdict.isAllowed) return null
    setHeader(headers, 'retry-after', Math.max(1, verdict.retrySeconds))
    return tooMany
  }

  /** Counts the body of a request before it is parsed. */
  chargeBody(request: FastifyRequest, bytes: number): Refusal | null {
    const { caller, bucket, answerHeaders: headers } = request
    if (caller === null) return null
    request.bodyCost = costOfBody(bytes)
    return this.charge(bucket, { caller, headers }, { more: request.bodyCost })
  }

  /** Whether a request with such a body would be admitted. */
  allowsBody(bucket: BucketName, { id }: OperatorRow, bytes: number): boolean {
    return this.#context.admission.allows(bucket, id, 1 + costOfBody(bytes))
  }

  /** Refuses a request with such a body, which is not allowed. */
  refuseBody(bucket: BucketName, { caller, headers }: Charged, bytes: number): Refusal {
    const verdict = this.#context.admission.refuse(bucket, caller.id, 1 + costOfBody(bytes))
    if (verdict !== null) addVerdict(headers, verdict)
    return tooMany
  }

  /** Counts what a command has cost beyond what was counted before. */
  chargeAfter(bucket: BucketName, { caller, headers }: Charged, done: ChargedCommand): void {
    const { result, counted = 1 } = done
    const more = costOfResult(result) - counted
    const verdict = this.#context.admission.consumeAfter(bucket, caller.id, more)
    if (verdict !== null) showVerdict(headers, verdict)
  }

  /** Counts a request, and adds the state of its limit to the response headers. */
  consume(bucket: BucketName | AddressBucket, who: string, headers: string[]): Refusal | null {
    const verdict = this.#context.admission.consume(bucket, who)
    if (verdict === null) return null
    addVerdict(headers, verdict)
    return verdict.isAllowed ? null : tooMany
  }

  admin(): Hook {
    return (request, reply, done) => {
      const key = request.headers['x-admin-key']
      if (typeof key === 'string' && this.#context.isAdmin(key)) {
        // The administrator, too, must not see or decide on old records.
        if (this.#context.admission.isInTouch) done()
        else refuse(reply, outOfTouch)
      } else this.#refuseUnknown(request, reply, key === undefined ? missingAdmin : unknownAdmin)
    }
  }

  public(): Hook {
    return (request, reply, done) => {
      if (this.#passes('public', request.clientAddress, reply)) done()
    }
  }

  /** For what is served beside the API: metrics, documents, the console, the guide. */
  pages(): Hook {
    return (request, reply, done) => {
      if (this.#passes('pages', request.clientAddress, reply)) done()
    }
  }

  #refuseUnknown(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
    if (this.#passes('public', request.clientAddress, reply))
      refusePaced(reply, request.clientAddress, refusal)
  }

  /** If not, the refusal is sent already. */
  #passes(bucket: BucketName | AddressBucket, who: string, reply: FastifyReply): boolean {
    const refusal = this.consume(bucket, who, reply.request.answerHeaders)
    if (refusal !== null) refusePaced(reply, who, refusal)
    return refusal === null
  }
}

function addVerdict(headers: string[], verdict: Verdict): void {
  headers.push('ratelimit-limit', String(verdict.limit))
  headers.push('ratelimit-remaining', String(verdict.remaining))
  headers.push('ratelimit-reset', String(verdict.resetSeconds))
  if (verdict.name !== null) {
    headers.push('ratelimit-policy', verdict.policy, 'ratelimit', stateOf(verdict))
  }
  if (!verdict.isAllowed) headers.push('retry-after', String(verdict.retrySeconds))
}

function showVerdict(headers: string[], verdict: Verdict): void {
  setHeader(headers, 'ratelimit-remaining', verdict.remaining)
  setHeader(headers, 'ratelimit-reset', verdict.resetSeconds)
  if (verdict.name !== null) setHeader(headers, 'ratelimit', stateOf(verdict))
}

function stateOf({ name, remaining, resetSeconds }: Verdict): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`
}

// The array alternates names and values.
function setHeader(headers: string[], name: string, value: number | string): void {
  const at = headers.indexOf(name)
  if (at < 0) headers.push(name, String(value))
  else headers[at + 1] = String(value)
}
