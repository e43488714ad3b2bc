// The OpenAPI document matches the routes, and its page contacts no other host.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminKey, apiKeys, testServer } from '../../../test/support/http/rest-server.ts'
import type { Event } from '../../core/events/events.ts'
import { eventTypes } from '../../core/words.ts'
import { deliveryOf, headersOf } from '../../feed/webhooks/delivery.ts'
import { errorTable } from '../errors.ts'
import { components } from '../schemas/components.ts'
import { payloads } from '../schemas/event-payload.ts'
import { scopes } from '../schemas/operator.ts'

type Operation = {
  readonly tags: readonly string[]
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Record<string, readonly string[]>[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Record<string, { schema: { $ref: string } }>
  }
  readonly responses: Record<
    string,
    { readonly $ref?: string; readonly headers?: object; readonly description: string }
  >
}
type WebhookRequest = {
  readonly parameters: readonly { readonly name: string }[]
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { readonly schema: { readonly properties: { payload: object } } }
      readonly 'application/cloudevents+json': {
        readonly schema: { readonly required: readonly string[]; readonly properties: object }
      }
    }
  }
}
type Document = {
  readonly openapi: string
  readonly info: { readonly description: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly webhooks: Record<string, { readonly post: WebhookRequest }>
  readonly components: {
    readonly schemas: object
    readonly responses: Record<string, { readonly description: string }>
    readonly securitySchemes: object
  }
}

async function serverWithRoutes() {
  const routes = new Set<string>()
  const app = testServer()
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.add(`${name} ${url.replace(/:(\w+)/g, '{$1}')}`)
  })
  const document: Document = (await app.inject('/openapi.json')).json()
  return { app, routes, document }
}

function operationsOf(document: Document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      return { name: `${method.toUpperCase()} ${path}`, operation }
    }),
  )
}

/** A response that several operations have is a component. */
function resolved(document: Document, response: Operation['responses'][string]) {
  const name = response.$ref?.split('/').at(-1)
  return name === undefined ? response : document.components.responses[name]!
}

/** With an x for every parameter. */
function requestTo(name: string) {
  const [word, path] = name.split(' ')
  const method = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).find(
    (known) => known === word,
  )
  assert.ok(method !== undefined, name)
  return { method, url: path!.replace(/\{\w+\}/g, 'x') }
}

test('every route is in the document, and the document has no other', async () => {
  const { routes, document } = await serverWithRoutes()
  const isDocumented = (route: string) =>
    !route.startsWith('HEAD ') && !/ \/(?:docs|(?:console|guide|m)\/)/.test(route)
  assert.equal(document.openapi, '3.1.0')
  assert.deepEqual(
    operationsOf(document)
      .map(({ name }) => name)
      .sort(),
    [...routes].filter(isDocumented).sort(),
  )
  assert.ok(routes.size > 40)
})

test('every operation has a tag, a summary, its security and its error codes', async () => {
  const { document } = await serverWithRoutes()
  for (const { name, operation } of operationsOf(document)) {
    assert.equal(operation.tags.length, 1, name)
    assert.ok(operation.summary.length > 0, name)
    if (!name.includes('/api/')) continue
    const isAdmin = name.includes('/admin/')
    const isPublic = operation.security?.length === 0
    const [scheme] = Object.keys(operation.security?.[0] ?? {})
    if (!isPublic) assert.equal(scheme, isAdmin ? 'AdminKey' : 'ApiKey', name)
    assert.equal('401' in operation.responses, !isPublic, name)
    for (const [status, code] of [
      [500, 'INTERNAL_ERROR'],
      [429, 'RATE_LIMITED'],
    ] as const) {
      const { description } = resolved(document, operation.responses[status]!)
      assert.ok(description.includes(code), `${name} ${status}`)
    }
  }
})

test('every operation has a unique id, which generated clients use', async () => {
  const { document } = await serverWithRoutes()
  const ids = operationsOf(document).map(({ name, operation }) => {
    assert.match(operation.operationId ?? '', /^[a-z]+(?:[A-Z][a-z]+)+$/, name)
    return operation.operationId
  })
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(document.paths['/api/v1/orders']!.post!.operationId, 'placeOrder')
})

test('only routes without security in the document work without a key', async () => {
  const { app, document } = await serverWithRoutes()
  for (const { name, operation } of operationsOf(document)) {
    const request = requestTo(name)
    const keys = { 'x-api-key': apiKeys.all, 'x-admin-key': adminKey }
    const without = await app.inject({ ...request, remoteAddress: name })
    assert.equal(without.statusCode === 401, operation.security!.length > 0, name)
    const withKeys = await app.inject({ ...request, headers: keys })
    assert.notEqual(withKeys.statusCode, 401, name)
  }
})

test('a route accepts a key with the scope that the document names, and no other', async () => {
  const { app, document } = await serverWithRoutes()
  for (const { name, operation } of operationsOf(document)) {
    const needed = operation.security?.[0]?.ApiKey
    const named = / ?Needs a key with the scope `(\w+)`\.$/.exec(operation.description ?? '')
    const isForAny = needed?.length === 0
    if (!isForAny) assert.deepEqual(named === null ? undefined : [named[1]], needed, name)
    if (needed === undefined) continue
    for (const scope of scopes) {
      const headers = { 'x-api-key': apiKeys[scope] }
      const { statusCode } = await app.inject({ ...requestTo(name), headers })
      assert.equal(statusCode !== 403, isForAny || needed.includes(scope), `${name} with ${scope}`)
    }
  }
})

test('a preview documents the conflicts of placing, but for that of transactionId', async () => {
  const { document } = await serverWithRoutes()
  const conflictsOf = (path: string) => {
    const { description } = resolved(document, document.paths[path]!.post!.responses[409]!)
    return [...description.matchAll(/^([A-Z_]+): /gm)].map(([, code]) => code)
  }
  assert.deepEqual(
    [...conflictsOf('/api/v1/orders/preview'), 'ORDER_DUPLICATE_TRANSACTION'],
    conflictsOf('/api/v1/orders'),
  )
})

test('every error code is in the document', async () => {
  const { document } = await serverWithRoutes()
  const ofRoutes = JSON.stringify([document.paths, document.components.responses])
  // These happen before it is known which route is meant, and the last on the stream alone.
  const beforeRoutes = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE']
  beforeRoutes.push('SUBSCRIPTION_LIMIT')
  for (const code of Object.keys(errorTable)) {
    assert.ok(document.info.description.includes(`| ${code} |`), code)
    if (!beforeRoutes.includes(code)) assert.ok(ofRoutes.includes(`"${code}"`), code)
  }
})

test('named schemas are components, bodies are named, and no reference dangles', async () => {
  const { document } = await serverWithRoutes()
  const names = Object.keys(document.components.schemas)
  assert.deepEqual([...names].sort(), components.map(({ $id }) => $id).sort())
  for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
    const [, , kind, part] = name!.split('/')
    assert.ok(part! in document.components[kind as 'schemas' | 'responses'], name!)
  }
  for (const { name, operation } of operationsOf(document)) {
    const body = operation.requestBody?.content['application/json']
    if (body !== undefined) assert.match(body.schema.$ref, /^#\/components\/schemas\//, name)
  }
})

test('a body is optional exactly where the document says so', async () => {
  const { document } = await serverWithRoutes()
  const optional = operationsOf(document).filter(
    ({ operation: { requestBody } }) => requestBody?.required === false,
  )
  const names = optional.map(({ name }) => name)
  assert.deepEqual(names.sort(), [
    'POST /api/v1/admin/operators/{id}/keys',
    'POST /api/v1/markets/{id}/settlement-preview',
    'POST /api/v1/webhooks/{id}/redeliver',
    'POST /api/v1/webhooks/{id}/rotate-secret',
  ])
})

test('every error response is shared by the operations that have it', async () => {
  const { document } = await serverWithRoutes()
  const { responses } = document.components
  for (const { name, operation } of operationsOf(document)) {
    const refused = operation.responses[401]
    if (refused === undefined) continue
    assert.deepEqual(refused, { $ref: '#/components/responses/Unauthorized' }, name)
  }
  const { Unauthorized } = responses
  assert.match(Unauthorized!.description, /^UNAUTHORIZED: /)
  assert.ok(Object.keys(responses).length > 10)
})

test('the document has the request to a webhook of every event type, as it is sent', async () => {
  const { document } = await serverWithRoutes()
  assert.deepEqual(Object.keys(document.webhooks), [...eventTypes, 'PING'])
  const createdAt = Date.UTC(2026, 0, 1)
  for (const eventType of eventTypes) {
    const event = { id: 'e', sequence: 1, operatorId: 'o', marketId: 'm', createdAt, eventType }
    const sent = deliveryOf('00', { ...event, payload: {} } as unknown as Event)
    const schema = document.webhooks[eventType]!.post.requestBody.content['application/json'].schema
    const fields = Object.keys(JSON.parse(Buffer.from(sent.body).toString()))
    assert.deepEqual(Object.keys(schema.properties).sort(), fields.sort(), eventType)
    const payload = JSON.parse(JSON.stringify(payloads[eventType]))
    assert.deepEqual(schema.properties.payload, payload, eventType)
    const { post } = document.webhooks[eventType]!
    const cloudEvent = post.requestBody.content['application/cloudevents+json'].schema
    const about = { ...event, marketId: isAboutMarket(eventType) ? 'm' : null, payload: {} }
    const asCloudEvent = deliveryOf('00', about as unknown as Event, 'CLOUDEVENTS')
    const attributes = Object.keys(JSON.parse(Buffer.from(asCloudEvent.body).toString()))
    assert.deepEqual(Object.keys(cloudEvent.properties).sort(), attributes.toSorted(), eventType)
    assert.deepEqual(cloudEvent.required.toSorted(), attributes.toSorted(), eventType)
    const { parameters } = post
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = Object.keys(headersOf(sent, { secrets: ['s'], now: createdAt, traceId }))
    const own = headers.filter((name) => /^(?:x-)?webhook-|^traceparent$/i.test(name))
    assert.deepEqual(parameters.map(({ name }) => name).sort(), own.sort())
  }
})

function isAboutMarket(eventType: string): boolean {
  return eventType !== 'DEAD_MAN_TRIGGERED' && eventType !== 'CONTROLS_CHANGED'
}

test('every POST that has Idempotent-Replayed has the header Idempotency-Key', async () => {
  const { document } = await serverWithRoutes()
  const parameter = '#/components/parameters/IdempotencyKey'
  for (const { name, operation } of operationsOf(document)) {
    const text = JSON.stringify(operation)
    assert.equal(text.includes(parameter), text.includes('"Idempotent-Replayed"'), name)
  }
})

test('every POST that writes documents Idempotent-Replayed, but batches do not', async () => {
  const { document } = await serverWithRoutes()
  const repeatable = operationsOf(document)
    .filter(({ operation }) => JSON.stringify(operation).includes('Idempotent-Replayed'))
    .map(({ name }) => name)
  const others = [
    'POST /api/v1/orders/batch',
    'POST /api/v1/orders/preview',
    'POST /api/v1/markets/{id}/settlement-preview',
  ]
  const writes = operationsOf(document).flatMap(({ name }) => {
    return name.startsWith('POST ') && !others.includes(name) ? [name] : []
  })
  assert.deepEqual(repeatable.sort(), writes.sort())
  const refused = document.paths['/api/v1/orders']!.post!.responses[409]!
  assert.ok('Idempotent-Replayed' in refused.headers!, 'of an order that was REJECTED')
})

test('the page loads its scripts from the service and may contact no other host', async () => {
  const app = testServer()
  assert.equal((await app.inject('/docs')).headers.location, '/docs/')
  const page = await app.inject('/docs/')
  assert.equal(page.statusCode, 200)
  assert.doesNotMatch(page.body, /https?:\/\//)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  const sources = [...page.body.matchAll(/src="([^"]+)"/g)].map(([, source]) => source)
  assert.deepEqual(sources, ['start.js', 'viewer.js'])
  for (const source of sources) {
    const script = await app.inject(`/docs/${source}`)
    assert.equal(script.statusCode, 200, source)
    assert.match(String(script.headers['content-type']), /^text\/javascript/)
  }
})
