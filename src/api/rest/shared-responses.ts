// The error responses that several operations of the OpenAPI document have: each is a component,
// and the operations refer to it.

import type { SwaggerTransformObject } from '@fastify/swagger'

type Made = Parameters<SwaggerTransformObject>[0]
export type OpenApi = Extract<Made, { openapiObject: object }>['openapiObject']

type Content = Readonly<Record<string, { readonly schema?: object }>>
type Response = { readonly content?: Content } | { readonly $ref: string }
type Responses = Record<string, Response>
type Document = { paths?: Record<string, object | undefined>; components?: object }

/** The name of a component lists at most this many codes; more would make it too long to read. */
const codesMax = 3

/** Changes the document. */
export function shareResponses(document: Document): void {
  const all = responsesIn(document)
  const uses = Map.groupBy(
    all.flatMap((responses) => Object.values(responses)),
    (response) => JSON.stringify(response),
  )
  const shared = new Map<string, string>()
  const components: Responses = {}
  for (const [text, [response, ...others]] of uses) {
    const name = response === undefined || others.length === 0 ? null : nameOf(response)
    if (name === null || name in components) continue
    components[name] = response!
    shared.set(text, name)
  }
  for (const responses of all) {
    for (const [status, response] of Object.entries(responses)) {
      const name = shared.get(JSON.stringify(response))
      if (name !== undefined) responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  document.components = { ...document.components, responses: components }
}

type Operation = { readonly responses?: Responses }

function responsesIn({ paths = {} }: Document): Responses[] {
  const operations = Object.values(paths).flatMap((path): Operation[] => Object.values(path ?? {}))
  return operations.flatMap(({ responses }) => (responses === undefined ? [] : [responses]))
}

type Failure = {
  readonly properties?: {
    readonly error?: { readonly properties: { readonly code: { readonly enum: string[] } } }
  }
}

/** From its error codes: NOT_FOUND becomes NotFound. Null for a success, and for many codes. */
function nameOf(response: Response): string | null {
  const content = 'content' in response ? response.content : undefined
  const schema: Failure | undefined = content?.['application/json']?.schema
  const codes = schema?.properties?.error?.properties.code.enum ?? []
  if (codes.length === 0 || codes.length > codesMax) return null
  return codes.map((code) => code.split('_').map(capitalised).join('')).join('Or')
}

function capitalised(word: string): string {
  return word.slice(0, 1) + word.slice(1).toLowerCase()
}
