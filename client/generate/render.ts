// Renders the OpenAPI and AsyncAPI documents as TypeScript: a type for every schema, and the input
// and output of every route.

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
}

type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }

export type Operation = {
  readonly parameters?: readonly {
    readonly in: string
    readonly name: string
    readonly schema: Schema
    readonly required?: boolean
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

export type OpenApi = {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export type AsyncApi = {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly operations: Readonly<
    Record<'hear' | 'say', { readonly messages: readonly { readonly $ref: string }[] }>
  >
}

const header = `// Generated from the API documents of the service. Do not edit: run
// npm run generate:client.
`

export function renderWire(openApi: OpenApi, asyncApi: AsyncApi): string {
  // The AsyncAPI document wins: it has the payload of each event type.
  const schemas = { ...openApi.components.schemas, ...asyncApi.components.schemas }
  const named = Object.entries(schemas).map(
    ([name, schema]) => `export type ${typeName(name)} = ${typeOf(schema, '')}\n`,
  )
  return [
    header,
    ...named,
    `/** A message from the client. */\n${messages(asyncApi, 'hear', 'ClientMessage')}`,
    `/** A message from the service. */\n${messages(asyncApi, 'say', 'ServerMessage')}`,
    `/** Every error code of the service. */\n${errorCodes(openApi)}`,
    `/** Every route: its query, its body, and the data of its answer. */\n${routes(openApi)}`,
  ].join('\n')
}

function messages({ operations }: AsyncApi, action: 'hear' | 'say', name: string): string {
  const names = operations[action].messages.map(({ $ref }) => refName($ref))
  return `export type ${name} = ${names.join(' | ')}\n`
}

/** The description of the document contains the table of error codes. */
function errorCodes({ info }: OpenApi): string {
  const codes = [...info.description.matchAll(/^\| ([A-Z_]+) \| \d+ \|/gm)].map(([, code]) => code)
  return `export type ErrorCode =\n${codes.map((code) => `  | '${code}'`).join('\n')}\n`
}

function routes({ paths }: OpenApi): string {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const data = dataOf(operation)
      if (data === null) return []
      return [routeOf(routeName(method, path), operation, data)]
    }),
  )
  return `export type Routes = {\n${lines.join('')}}\n`
}

/** Replaces the names of path parameters, which are identified by their position. */
export function routeName(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`
}

/** null for routes without an envelope, such as metrics. */
function dataOf({ responses }: Operation): Schema | null {
  const content = (responses['201'] ?? responses['202'] ?? responses['200'])?.content
  return content?.['application/json']?.schema.properties?.data ?? null
}

function routeOf(name: string, operation: Operation, data: Schema): string {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const body = operation.requestBody?.content?.['application/json']?.schema
  const fields = Object.fromEntries(query.map(({ name: field, schema }) => [field, schema]))
  const required = query.flatMap((parameter) => (parameter.required ? [parameter.name] : []))
  const querySchema = { type: 'object', properties: fields, required }
  return [
    `  '${name}': {\n`,
    `    query: ${query.length === 0 ? 'undefined' : typeOf(querySchema, '    ')}\n`,
    `    body: ${body === undefined ? 'undefined' : typeOf(body, '    ')}\n`,
    `    data: ${typeOf(data, '    ')}\n`,
    '  }\n',
  ].join('')
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return refName(schema.$ref)
  const forms = schema.oneOf ?? schema.anyOf
  if (forms !== undefined) {
    const union = forms
      .map((form) => typeOf({ ...form, required: allOf(form) }, indent))
      .join(' | ')
    return schema.properties === undefined ? union : `${objectOf(schema, indent)} & (${union})`
  }
  if (schema.const !== undefined) return literal(schema.const)
  const types = [schema.type ?? (schema.properties === undefined ? 'unknown' : 'object')].flat()
  return types
    .map((type) => (type === 'null' ? 'null' : typeOfKind(schema, type, indent)))
    .join(' | ')
}

/** A form of a union lists its fields without stating which are required: all are. */
function allOf(form: Schema): readonly string[] {
  return form.required ?? Object.keys(form.properties ?? {})
}

function typeOfKind(schema: Schema, type: string, indent: string): string {
  if (schema.enum !== undefined) {
    return schema.enum.map(literal).join(' | ')
  }
  if (type === 'array') return arrayOf(schema.items ?? {}, indent)
  if (type === 'object') return objectOf(schema, indent)
  if (type === 'integer') return 'number'
  return type
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function arrayOf(items: Schema, indent: string): string {
  const type = typeOf(items, indent)
  return type.includes('|') || type.includes('&') ? `readonly (${type})[]` : `readonly ${type}[]`
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name)
    const type = typeOf(schema, inner)
    const note = schema.description === undefined ? '' : `${inner}/** ${schema.description} */\n`
    const [mark, more] = isOptional ? ['?', ' | undefined'] : ['', '']
    return `${note}${inner}readonly ${name}${mark}: ${type}${more}\n`
  })
  if (fields.length === 0) return '{ readonly [name: string]: unknown }'
  return `{\n${fields.join('')}${indent}}`
}

function refName(ref: string): string {
  return typeName(ref.slice(ref.lastIndexOf('/') + 1))
}

/** MARKET_CREATED becomes MarketCreated. */
function typeName(name: string): string {
  if (!/^[A-Z_]+$/.test(name)) return name
  return name
    .toLowerCase()
    .replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}
