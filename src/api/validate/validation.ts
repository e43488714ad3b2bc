// Holds requests against their schemas. Bodies are taken as they are: nothing is converted, left
// out or filled in. Query values are texts by nature, so those become numbers and booleans, where
// they are written as such.

import { Ajv, type AnySchema } from 'ajv'
import { Refusal } from '../errors.ts'
import { isDecimal, isLine, isProse, isUuid } from '../parse/text.ts'
import { isTime } from '../parse/time.ts'
import { components } from '../schemas/components.ts'
import { messageOf } from './validation-message.ts'

/** How a request that does not fit travels to the error handler. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest'
  readonly refusal: Refusal

  constructor(message: string) {
    super(message)
    this.refusal = new Refusal('VALIDATION_ERROR', message)
  }
}

type Check = (value: unknown) => true | { readonly error: InvalidRequest }
type Compiler = (route: { readonly schema: AnySchema; readonly httpPart?: string }) => Check

/** One for all who check: what a schema refers to is then compiled once. */
export const strictAjv = newAjv()

export function validatorCompiler(): Compiler {
  return ({ schema, httpPart }) => {
    // A malformed id in a path is an id that nothing has; whoever looks for it says so.
    if (httpPart === 'params') return () => true
    const root = httpPart === 'body' ? 'body' : 'query'
    const validate = strictAjv.compile(schema)
    const read = root === 'body' ? null : queryReader(schema)
    return (value) => {
      read?.(value)
      if (validate(value)) return true
      return { error: new InvalidRequest(messageOf(validate.errors![0]!, root)) }
    }
  }
}

/** Holds bodies against that schema, whichever one the document shows for them. */
export function bodyCheckedAs(schema: AnySchema): Compiler {
  const compile = validatorCompiler()
  return (route) => compile(route.httpPart === 'body' ? { ...route, schema } : route)
}

/** What is wrong with a part of a body, or null. */
export function partChecker(schema: AnySchema): (value: unknown) => Refusal | null {
  const validate = strictAjv.compile(schema)
  return (value) => {
    if (validate(value)) return null
    return new Refusal('VALIDATION_ERROR', messageOf(validate.errors![0]!, 'order'))
  }
}

/** How texts are read by the type that a schema asks for; any other text stays one. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  // Number() alone would also take 0x10, 1e2, and blanks around them.
  integer: (text) => (/^-?[0-9]+$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

/** Puts what a query's texts mean in their place. */
function queryReader(schema: AnySchema): (query: unknown) => void {
  const hasFields = typeof schema === 'object' && 'properties' in schema
  const properties: Properties = hasFields ? schema.properties : {}
  const fields = Object.entries(properties).flatMap(([name, { type }]) => {
    const read = type === undefined ? undefined : readers[type]
    return read === undefined ? [] : [{ name, read }]
  })
  return (query) => {
    if (!isRecord(query)) return
    for (const { name, read } of fields) {
      const value = query[name]
      if (typeof value === 'string') query[name] = read(value)
    }
  }
}

type Properties = Readonly<Record<string, { readonly type?: string }>>

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function newAjv(): Ajv {
  const ajv = new Ajv({
    allowUnionTypes: true,
    // What is said of a value may depend on it.
    verbose: true,
    removeAdditional: false,
    // A test holds them against the rules for schemas; at every start that would take long.
    validateSchema: false,
  })
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', isTime)
  ajv.addFormat('decimal', isDecimal)
  ajv.addFormat('line', isLine)
  ajv.addFormat('prose', isProse)
  for (const component of components) ajv.addSchema(component)
  return ajv
}
