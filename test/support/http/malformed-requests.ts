// Requests that are likely to be wrong, made from the OpenAPI document: seeded, for every route.

import assert from 'node:assert/strict'
import type { Json } from '../process/outcry-process.ts'
import type { Random } from '../process/random.ts'
import { fitting, type JsonSchema, spoilt } from './json-values.ts'

const methodNames = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type RouteForm = {
  readonly method: (typeof methodNames)[number]
  /** As in the document: /markets/{id}. */
  readonly path: string
  readonly query: JsonSchema
  readonly body: JsonSchema
}

type Described = {
  readonly parameters?: readonly { in: string; name: string; schema: JsonSchema }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { schema: { $ref: string } } }
  }
}

/** What these answer has a form of its own, without the envelope. */
export const plainPaths: ReadonlySet<string> = new Set([
  ...['/metrics', '/openapi.json', '/asyncapi.json', '/docs', '/console', '/guide'],
])

/** Every route of a document. */
export function routesIn({ paths, components }: Json): readonly RouteForm[] {
  const routes: RouteForm[] = []
  for (const [path, methods] of Object.entries<Record<string, Described>>(paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const inQuery = parameters.filter((parameter) => parameter.in === 'query')
      const ref = requestBody?.content['application/json'].schema.$ref.split('/').at(-1)
      const upper = methodNames.find((name) => name === method.toUpperCase())
      assert.ok(upper !== undefined, method)
      const properties = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]))
      const body = ref === undefined ? {} : components.schemas[ref]
      routes.push({ method: upper, path, query: { type: 'object', properties }, body })
    }
  }
  return routes
}

export type MalformedRequest = {
  readonly method: RouteForm['method']
  readonly url: string
  /** Of the body; null where there is none. */
  readonly contentType: string | null
  readonly body: string | null
}

const oddIds = ['x', '%00', '%F0%9F%8E%B2', '..', '-1', 'x'.repeat(300), '%2F%2E']
/** The id that fitting values have. */
const plainId = /019b76da-a800-7000-85e6-211d422cb128/g

/** `ids` are real ones, of anything: some get into the path, the query and the body. */
export function malformedRequest(
  random: Random,
  route: RouteForm,
  ids: readonly string[],
): MalformedRequest {
  const { method } = route
  const realIds = (text: string) => text.replace(plainId, () => random.pick(ids))
  const path = route.path.replace(/\{\w+\}/g, () =>
    random.chance(50) ? random.pick(ids) : random.pick(oddIds),
  )
  const url = `${path}?${realIds(`${queryFor(random, route)}`)}`
  if (method === 'GET' || random.chance(5)) return { method, url, contentType: null, body: null }
  const value = random.chance(80) ? spoilt(random, route.body) : fitting(random, route.body)
  const text = realIds(textOf(random, value))
  const body = random.chance(10) ? text.slice(0, random.between(0, text.length)) : text
  const odd = [
    'text/plain',
    'x',
    'a/b;c',
    'application/json; charset=latin1',
    'multipart/form-data',
  ]
  const contentType = random.chance(95) ? 'application/json' : random.pick(odd)
  return { method, url, contentType, body }
}

function queryFor(random: Random, { query }: RouteForm): URLSearchParams {
  const params = new URLSearchParams()
  const asked = Object(random.chance(70) ? spoilt(random, query) : fitting(random, query))
  for (const [name, value] of Object.entries(asked)) {
    params.append(name, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))
  }
  return params
}

// What no JSON.stringify writes: numbers beyond all bounds, keys twice, depth without end.
function textOf(random: Random, value: unknown): string {
  const text = JSON.stringify(value)
  if (random.chance(90)) return text
  const odd = [
    () => text.replace(/(:)(\d+|"[^"]*")/, '$11e400'),
    () => text.replace(/(:)(\d+|"[^"]*")/, '$1NaN'),
    () => text.replace('{', '{"__proto__":{"isAdmin":true},'),
    () => text.replace('{', '{"constructor":{"prototype":1},'),
    () => text.replace(/}$/, ',"title":"twice","title":"again"}'),
    () => text.replace('{', `{"metadata":${'['.repeat(5_000)}${']'.repeat(5_000)},`),
    () => `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    () => text.replace(/"([^"]+)":/, '"\\ud800":'),
    () => `\ufeff${text}`,
    () => `${text}${text}`,
  ]
  return random.pick(odd)()
}
