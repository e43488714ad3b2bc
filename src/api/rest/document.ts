// The OpenAPI document, made from the registered routes, the reference that shows it, and the
// AsyncAPI document.

import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { assert } from '../../core/assert.ts'
import { errorTable } from '../errors.ts'
import { json } from '../http/response.ts'
import { components } from '../schemas/components.ts'
import type { Context } from './context.ts'
import { tags } from './describe.ts'
import { addReference } from './reference.ts'
import type { Hook } from './rest-admission.ts'
import { type OpenApi, shareResponses } from './shared-responses.ts'
import { webhookRequests } from './webhook-requests.ts'

const introduction = [
  'Every response is JSON in an envelope: `{ "success": true, "data": ... }` or',
  '`{ "success": false, "error": { "code", "message" } }`. Decimals in records are exact strings;',
  'market data are plain numbers. Times are ISO 8601; times that you send need Z or an offset,',
  'their seconds are optional. Lists are newest first, categories are sorted by sortOrder and',
  'events by sequence. The cursor of a paged list is opaque. Titles and names that you send are',
  'one line without control characters and bidirectional overrides; longer texts may also have',
  'tabs and line breaks.',
].join(' ')

/** Must be called before the routes are added: it collects them as they are added. */
export function prepareDocument(app: FastifyInstance, version: string): void {
  for (const component of components) app.addSchema(component)
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Outcry',
        version,
        description: `${introduction}\n\n${errorList()}`,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This service.' }],
      tags: tagList(),
      components: {
        parameters: {
          IdempotencyKey: {
            name: 'Idempotency-Key',
            in: 'header',
            description:
              'Repeats the request without carrying it out again. 1 to 255 printable ASCII ' +
              'characters, which may be in double quotes.',
            schema: { type: 'string' },
          },
        },
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          AdminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key' },
        },
      },
    },
    transformObject: (made) => {
      assert('openapiObject' in made, 'the document is of OpenAPI 3')
      const document = made.openapiObject
      markOptionalBodies(document)
      omitConditions(document)
      addKeyParameter(document)
      shareResponses(document)
      return Object.assign(document, { webhooks: webhookRequests() })
    },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) =>
        typeof $id === 'string' ? $id : `def-${index}`,
    },
  })
}

export function addDocument(
  app: FastifyInstance,
  { streamDocument }: Context,
  onRequest: Hook,
): void {
  addJson(app, {
    url: '/openapi.json',
    name: 'getOpenApi',
    summary: 'Get this OpenAPI document',
    make: () => app.swagger(),
    onRequest,
  })
  addReference(app, onRequest)
  addJson(app, {
    url: '/asyncapi.json',
    name: 'getAsyncApi',
    summary: 'Get the AsyncAPI document of the WebSocket stream',
    make: streamDocument,
    onRequest,
  })
}

type JsonRoute = {
  readonly url: string
  readonly name: string
  readonly summary: string
  readonly make: () => object
  readonly onRequest: Hook
}

/** Made at the first request, then sent as it is. */
function addJson(app: FastifyInstance, route: JsonRoute): void {
  const { url, name, summary, make, onRequest } = route
  let bytes: Buffer | null = null
  app.route({
    method: 'GET',
    url,
    onRequest,
    schema: {
      tags: ['Service'],
      operationId: name,
      summary,
      security: [],
      response: { 200: { description: 'Done.', ...Type.Object({}) } },
    },
    handler: (_request, reply) => {
      bytes ??= Buffer.from(JSON.stringify(make()))
      return reply.header('content-type', json).send(bytes)
    },
  })
}

// The generator marks every body as required. A POST without a body counts as an empty object.
function markOptionalBodies({ paths = {} }: OpenApi): void {
  const needy = new Set(components.filter((schema) => 'required' in schema).map(({ $id }) => $id))
  for (const path of Object.values(paths)) {
    const body = path?.post?.requestBody
    if (body === undefined || !('content' in body)) continue
    const schema = body.content['application/json']?.schema
    if (schema !== undefined && '$ref' in schema) {
      body.required = needy.has(schema.$ref.split('/').at(-1)!)
    }
  }
}

// Linters check each part of a condition as if it were the whole body. What the condition demands
// stands in the descriptions of the fields.
function omitConditions({ components: shared }: OpenApi): void {
  for (const [name, schema] of Object.entries(shared?.schemas ?? {})) {
    if (!('if' in schema)) continue
    const { if: _if, else: _else, ...plain } = schema
    shared!.schemas![name] = plain
  }
}

const keyParameter = { $ref: '#/components/parameters/IdempotencyKey' }

// A header among the schemas of a route would be validated by the framework.
function addKeyParameter({ paths = {} }: OpenApi): void {
  for (const path of Object.values(paths)) {
    const post = path?.post
    if (post === undefined) continue
    const answers = [200, 201, 202].map((status) => post.responses?.[status])
    if (!JSON.stringify(answers).includes('Idempotent-Replayed')) continue
    post.parameters = [...(post.parameters ?? []), keyParameter]
  }
}

function tagList() {
  return Object.entries(tags).map(([name, description]) => ({ name, description }))
}

function errorList(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, when }]) => `| ${code} | ${status} | ${when} |`,
  )
  return ['| code | status | when |', '|---|---|---|', ...rows].join('\n')
}
