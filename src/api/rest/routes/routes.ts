// Adds routes: one description serves the framework, validation and the OpenAPI document. Handlers
// receive paths, queries and bodies with the types of their schemas.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TSchema, TUnknown } from 'typebox'
import { assert } from '../../../core/assert.ts'
import type { KeyRow, OperatorRow, ReadParty, RecordStore } from '../../../store/store.ts'
import type { BucketName } from '../../admission/admission.ts'
import { Refusal } from '../../errors.ts'
import { Done, type RouteAnswer } from '../../http/response.ts'
import type { Attempt } from '../../idempotency/kept-answers.ts'
import { named } from '../../schemas/fields.ts'
import type { Scope } from '../../schemas/operator.ts'
import type { ShardAccess, Shards } from '../../shards.ts'
import { tracedShard } from '../../traced-shard.ts'
import { bodyCheckedAs, strictAjv } from '../../validate/validation.ts'
import { actOf, isAudited } from '../audited.ts'
import { refusalOfBody } from '../body.ts'
import type { Context } from '../context.ts'
import { csvAnswers } from '../csv-answer.ts'
import { type Access, type Description, describe, keyUseOf } from '../describe.ts'
import type { FastPath } from '../fast-path/fast-path.ts'
import { refuse, sendAnswer } from '../reply.ts'
import { keyOf, keyReader } from '../request-key.ts'
import type { ChargedCommand, Hook, RestAdmission } from '../rest-admission.ts'

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamNames<Tail>
    : Rest
  : never

type Named = TSchema & { readonly $id: string }

type Route<Path extends string, Query extends TSchema, Body extends Named> = Description & {
  readonly path: Path
  readonly query?: Query
  readonly body?: Body
  /** The schema that replaces that of the body, if its parts are validated one by one. */
  readonly checkedAs?: TSchema
}

/** Makes a streamed answer again, from what was kept of it for its Idempotency-Key. */
type Again<What> = (request: What, kept: unknown) => Promise<RouteAnswer>

type OperatorRoute<Path extends string, Query extends TSchema, Body extends Named> = Route<
  Path,
  Query,
  Body
> & {
  /** null accepts a key with any scope. */
  readonly scope: Scope | null
  /** The rate limit that the route counts towards; `requests` by default. */
  readonly bucket?: BucketName
  /** Whether the fast path serves the route, too; it must be a POST without parameters. */
  readonly isFast?: boolean
}

type RouteRequest<Path extends string, Query extends TSchema, Body extends TSchema> = {
  readonly params: Readonly<Record<ParamNames<Path>, string>>
  readonly query: Static<Query>
  readonly body: Static<Body>
  /** Of a request with an Idempotency-Key whose answer is kept; null without one. */
  readonly attempt: Attempt | null
}

type ReadsOfShards = {
  /** The records of a shard, read on behalf of the caller. */
  readonly readsIn: (shard: ShardAccess) => RecordStore
}

type ByOperator = {
  readonly operator: OperatorRow
  /** The key that was sent. */
  readonly key: KeyRow
  /** That of the operator. */
  readonly shard: ShardAccess
  /** Its records, read on behalf of the caller. */
  readonly reads: () => RecordStore
  /** What was counted for the body beyond the first unit. */
  readonly bodyCost: number
  /** The address that the request came from. */
  readonly address: () => string
  /**
   * Counts a cost beyond the first unit towards the limit; refuses if it exceeds the limit. What
   * was counted for the body is part of it.
   */
  readonly charge: (more: number) => Refusal | null
  /** Counts what a command of the request has cost beyond what was counted before. */
  readonly chargeAfter: (done: ChargedCommand) => void
}

type RouteAdmission = { readonly access: Access; readonly scope: Scope | null; readonly hook: Hook }

type Handle<What> = (request: What) => Promise<RouteAnswer> | RouteAnswer

const passAll: Hook = (_request, _reply, done) => done()

type RoutesOptions = {
  readonly admission: RestAdmission
  readonly fastPath: FastPath
  readonly shards: Shards
  readonly keptAnswers: Context['keptAnswers']
  readonly audit: Context['audit']
}

export class Routes {
  readonly #app: FastifyInstance
  readonly #admission: RestAdmission
  readonly #fastPath: FastPath
  readonly #shards: Shards
  readonly #keptAnswers: RoutesOptions['keptAnswers']
  readonly #audit: RoutesOptions['audit']

  constructor(app: FastifyInstance, options: RoutesOptions) {
    const { admission, fastPath, shards, keptAnswers, audit } = options
    this.#app = app
    this.#admission = admission
    this.#fastPath = fastPath
    this.#shards = shards
    this.#keptAnswers = keptAnswers
    this.#audit = audit
  }

  /** A route that needs an API key. */
  operator<
    const Path extends string,
    Query extends TSchema = TUnknown,
    Body extends Named = TUnknown & { readonly $id: string },
  >(
    route: OperatorRoute<Path, Query, Body>,
    handle: Handle<RouteRequest<Path, Query, Body> & ByOperator>,
    again?: Again<RouteRequest<Path, Query, Body> & ByOperator>,
  ): void {
    const { scope, bucket = 'requests' } = route
    const hook = this.#admission.operator(scope, bucket)
    const whole = (request: RouteRequest<Path, Query, Body>, raw: FastifyRequest) => {
      const { caller: operator, callerKey: key } = raw
      assert(operator !== null && key !== null, 'admission has set the operator and the key')
      const charged = { caller: operator, headers: raw.answerHeaders }
      const { bodyCost } = raw
      const charge = (more: number) =>
        this.#admission.charge(bucket, charged, { more, counted: bodyCost })
      const chargeAfter = (done: ChargedCommand) =>
        this.#admission.chargeAfter(bucket, charged, done)
      const shard = tracedShard(this.#shards.of(operator), raw.headers.traceparent)
      const reads = () => readsFor(shard, operator.number, raw)
      const address = () => raw.ip
      const own = { operator, key, shard, bodyCost, address, charge, chargeAfter, reads }
      return { ...request, ...own }
    }
    this.#add(
      route,
      { access: 'operator', scope, hook },
      {
        handle: (request, raw) => handle(whole(request, raw)),
        ...(again && { again: (request, raw, kept) => again(whole(request, raw), kept) }),
      },
    )
    if (route.isFast) this.#addToFastPath(route, bucket, handle)
  }

  /** A route that needs the administrator key. */
  admin<
    const Path extends string,
    Query extends TSchema = TUnknown,
    Body extends Named = TUnknown & { readonly $id: string },
  >(
    route: Route<Path, Query, Body>,
    handle: Handle<RouteRequest<Path, Query, Body> & ReadsOfShards>,
  ): void {
    const admission: RouteAdmission = {
      access: 'admin',
      scope: null,
      hook: this.#admission.admin(),
    }
    this.#add(route, admission, {
      handle: (request, raw) => handle({ ...request, readsIn: readsOfShards(raw) }),
    })
  }

  /** A route that needs no key. */
  public<const Path extends string, Query extends TSchema = TUnknown>(
    route: Route<Path, Query, never>,
    handle: Handle<RouteRequest<Path, Query, TUnknown> & ReadsOfShards>,
  ): void {
    const hook = this.#admission.public()
    this.#add(
      route,
      { access: 'public', scope: null, hook },
      {
        handle: (request, raw) => handle({ ...request, readsIn: readsOfShards(raw) }),
      },
    )
  }

  /** A route that needs no key and has no rate limit. */
  open<const Path extends string>(
    route: Route<Path, TUnknown, never>,
    handle: Handle<RouteRequest<Path, TUnknown, TUnknown>>,
  ): void {
    this.#add(route, { access: 'open', scope: null, hook: passAll }, { handle })
  }

  #addToFastPath<Path extends string, Query extends TSchema, Body extends Named>(
    route: OperatorRoute<Path, Query, Body>,
    bucket: BucketName,
    handle: Handle<RouteRequest<Path, Query, Body> & ByOperator>,
  ): void {
    const { body, checkedAs, path, scope } = route
    const isServed = body !== undefined && route.method === 'POST' && scope !== null
    assert(isServed, 'the fast path serves POST with a body and a scope')
    const accepts = strictAjv.compile(checkedAs ?? named(body))
    this.#fastPath.add({
      path,
      scope,
      bucket,
      accepts,
      hasTransactionId: keyUseOf(route) === 'TRANSACTION',
      // Its path has no parameters and its query is empty; the schema has checked the body.
      handle: (request, traceparent) => {
        const { operator } = request
        const shard = tracedShard(this.#shards.of(operator), traceparent)
        const reads = () => shard.readsFor({ party: operator.number, isGone: () => false })
        const attempt = null
        const whole = { ...request, params: {}, query: {}, attempt, shard, reads } as RouteRequest<
          Path,
          Query,
          Body
        > &
          ByOperator
        return handle(whole)
      },
    })
  }

  #add<Path extends string, Query extends TSchema, Body extends Named>(
    route: Route<Path, Query, Body>,
    { access, scope, hook }: RouteAdmission,
    { handle, again }: RawHandlers<RouteRequest<Path, Query, Body>>,
  ): void {
    const hasBody = route.body !== undefined
    const use = keyUseOf(route)
    const asCsv = csvAnswers(route.csv)
    const isAct = isAudited(route, access, scope)
    this.#app.route({
      method: route.method,
      url: route.path,
      schema: describe(route, access, scope),
      onRequest: hook,
      ...(route.method === 'POST'
        ? { preValidation: [...(hasBody ? [emptyObjectForNone] : []), keyReader(use)] }
        : {}),
      ...(route.checkedAs === undefined
        ? {}
        : { validatorCompiler: bodyCheckedAs(route.checkedAs) }),
      handler: async (raw, reply) => {
        const { params, query, body } = raw
        const refusal = hasBody ? null : refusalOfBody(body)
        // The schemas above have checked it; the framework's types cannot follow them through here.
        const of = (attempt: Attempt | null) =>
          ({ params, query, body, attempt }) as RouteRequest<Path, Query, Body>
        const carryOut = (attempt: Attempt | null) => {
          if (!isAct) return handle(of(attempt), raw)
          return this.#audit.carryOut(actOf(route, raw), async () => handle(of(attempt), raw))
        }
        const answer =
          refusal ??
          (await (use === 'KEPT' && raw.idempotencyKey !== null
            ? this.#keptAnswers.answer({
                ...keyOf(raw, raw.idempotencyKey),
                run: carryOut,
                again: (kept) => again?.(of(null), raw, kept) ?? new Done(kept),
              })
            : carryOut(null)))
        const shown = asCsv(answer, raw)
        return shown instanceof Refusal ? refuse(reply, shown) : sendAnswer(reply, shown)
      },
    })
  }
}

type RawHandlers<Request> = {
  readonly handle: (request: Request, raw: FastifyRequest) => Promise<RouteAnswer> | RouteAnswer
  readonly again?: (request: Request, raw: FastifyRequest, kept: unknown) => Promise<RouteAnswer>
}

// The administrator and callers without a key are distinguished by their addresses.
function readsOfShards(raw: FastifyRequest): ReadsOfShards['readsIn'] {
  return (shard) => readsFor(shard, raw.clientAddress, raw)
}

function readsFor(
  shard: ShardAccess,
  party: ReadParty,
  { raw: { socket } }: FastifyRequest,
): RecordStore {
  return shard.readsFor({ party, isGone: () => socket.destroyed })
}

// Validation then names a missing field. A PATCH without a body is refused as a mistake.
const emptyObjectForNone: Hook = (request, _reply, done) => {
  if (request.body === undefined) request.body = {}
  done()
}
