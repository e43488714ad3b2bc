// How a route is added: one description serves the framework, the checks and the document. Paths,
// queries and bodies reach the handler with the types of their schemas.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TSchema, TUnknown } from 'typebox'
import { assert } from '../../../core/assert.ts'
import type { OperatorRow } from '../../../store/store.ts'
import type { BucketName } from '../../admission/admission.ts'
import { Refusal } from '../../errors.ts'
import type { RouteAnswer } from '../../http/response.ts'
import { named } from '../../schemas/fields.ts'
import type { Scope } from '../../schemas/operator.ts'
import { bodyCheckedAs, strictAjv } from '../../validate/validation.ts'
import { complaintAboutBody } from '../body.ts'
import { type Access, type Description, describe } from '../describe.ts'
import type { FastPath } from '../fast-path/fast-path.ts'
import { refuse, sendAnswer } from '../reply.ts'
import type { Hook, RestAdmission } from '../rest-admission.ts'

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
  /** What the body is held against instead, where its parts are checked one by one. */
  readonly checkedAs?: TSchema
}

type OperatorRoute<Path extends string, Query extends TSchema, Body extends Named> = Route<
  Path,
  Query,
  Body
> & {
  readonly scope: Scope
  /** Which of the operator's limits it counts for; `requests` where it is left out. */
  readonly bucket?: BucketName
  /** A POST without parameters, so often asked that it has a way past the framework. */
  readonly isBusy?: boolean
}

type RouteRequest<Path extends string, Query extends TSchema, Body extends TSchema> = {
  readonly params: Readonly<Record<ParamNames<Path>, string>>
  readonly query: Static<Query>
  readonly body: Static<Body>
}

type ByOperator = {
  readonly operator: OperatorRow
  /** Counts more than one for its limit; says no where that is too many. */
  readonly charge: (more: number) => Refusal | null
}

type Entrance = { readonly access: Access; readonly scope: Scope | null; readonly hook: Hook }

type Handle<What> = (request: What) => Promise<RouteAnswer> | RouteAnswer

const passAll: Hook = (_request, _reply, done) => done()

export class Routes {
  readonly #app: FastifyInstance
  readonly #admission: RestAdmission
  readonly #fastPath: FastPath

  constructor(
    app: FastifyInstance,
    { admission, fastPath }: { admission: RestAdmission; fastPath: FastPath },
  ) {
    this.#app = app
    this.#admission = admission
    this.#fastPath = fastPath
  }

  /** For whoever sends an operator's key. */
  operator<
    const Path extends string,
    Query extends TSchema = TUnknown,
    Body extends Named = TUnknown & { readonly $id: string },
  >(
    route: OperatorRoute<Path, Query, Body>,
    handle: Handle<RouteRequest<Path, Query, Body> & ByOperator>,
  ): void {
    const { scope, bucket = 'requests' } = route
    const hook = this.#admission.operator(scope, bucket)
    this.#add(route, { access: 'operator', scope, hook }, (request, raw) => {
      const { caller: operator } = raw
      assert(operator !== null, 'the guard lets nobody pass without an operator')
      const charged = { caller: operator, headers: raw.answerHeaders }
      const charge = (more: number) => this.#admission.charge(bucket, charged, more)
      return handle({ ...request, operator, charge })
    })
    if (route.isBusy) this.#addToFastPath(route, bucket, handle)
  }

  /** For the administrator. */
  admin<
    const Path extends string,
    Query extends TSchema = TUnknown,
    Body extends Named = TUnknown & { readonly $id: string },
  >(route: Route<Path, Query, Body>, handle: Handle<RouteRequest<Path, Query, Body>>): void {
    this.#add(route, { access: 'admin', scope: null, hook: this.#admission.admin() }, handle)
  }

  /** For everybody. */
  public<const Path extends string, Query extends TSchema = TUnknown>(
    route: Route<Path, Query, never>,
    handle: Handle<RouteRequest<Path, Query, TUnknown>>,
  ): void {
    this.#add(route, { access: 'public', scope: null, hook: this.#admission.public() }, handle)
  }

  /** For everybody, without limits. */
  open<const Path extends string>(
    route: Route<Path, TUnknown, never>,
    handle: Handle<RouteRequest<Path, TUnknown, TUnknown>>,
  ): void {
    this.#add(route, { access: 'open', scope: null, hook: passAll }, handle)
  }

  #addToFastPath<Path extends string, Query extends TSchema, Body extends Named>(
    route: OperatorRoute<Path, Query, Body>,
    bucket: BucketName,
    handle: Handle<RouteRequest<Path, Query, Body> & ByOperator>,
  ): void {
    const { body: shown, checkedAs, path, scope } = route
    assert(shown !== undefined && route.method === 'POST', 'a busy route takes a body')
    const accepts = strictAjv.compile(checkedAs ?? named(shown))
    this.#fastPath.add({
      path,
      scope,
      bucket,
      accepts,
      // Its path has no parameters and its query is empty; the schema has checked the body.
      handle: (request) => {
        const whole = { ...request, params: {}, query: {} } as RouteRequest<Path, Query, Body> &
          ByOperator
        return handle(whole)
      },
    })
  }

  #add<Path extends string, Query extends TSchema, Body extends Named>(
    route: Route<Path, Query, Body>,
    { access, scope, hook }: Entrance,
    handle: (
      request: RouteRequest<Path, Query, Body>,
      raw: FastifyRequest,
    ) => Promise<RouteAnswer> | RouteAnswer,
  ): void {
    const takesBody = route.body !== undefined
    this.#app.route({
      method: route.method,
      url: route.path,
      schema: describe(route, access, scope),
      onRequest: hook,
      ...(takesBody && route.method === 'POST' ? { preValidation: takeNothingAsEmpty } : {}),
      ...(route.checkedAs === undefined
        ? {}
        : { validatorCompiler: bodyCheckedAs(route.checkedAs) }),
      handler: async (raw, reply) => {
        const { params, query, body } = raw
        const complaint = takesBody ? null : complaintAboutBody(body)
        // The schemas above have checked it; the framework's types cannot follow them through here.
        const request = { params, query, body } as RouteRequest<Path, Query, Body>
        const answer = complaint ?? (await handle(request, raw))
        return answer instanceof Refusal ? refuse(reply, answer) : sendAnswer(reply, answer)
      },
    })
  }
}

// What is missing is then named, if anything is. An edit that says nothing is a slip.
const takeNothingAsEmpty: Hook = (request, _reply, done) => {
  if (request.body === undefined) request.body = {}
  done()
}
