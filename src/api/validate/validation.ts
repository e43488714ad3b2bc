// Validates requests against their schemas. Bodies are not converted, stripped or completed. Query
// values are texts, so they become numbers and booleans if they are written as such.

import type { AnySchema } from 'ajv'
import { type Fault, invalidFields, type Refusal } from '../errors.ts'
import { newAjv } from './ajv.ts'
import { faultFinder } from './faults-in.ts'

/** Carries the refusal of an invalid request to the error handler. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest'
  readonly refusal: Refusal

  constructor(faults: readonly Fault[]) {
    const refusal = invalidFields(faults)
    super(refusal.message)
    this.refusal = refusal
  }
}

type Check = (value: unknown) => true | { readonly error: InvalidRequest }
type Compiler = (route: { readonly schema: AnySchema; readonly httpPart?: string }) => Check

/** Shared, so that a schema which others refer to is compiled once. */
export const strictAjv = newAjv()

export function validatorCompiler(): Compiler {
  return ({ schema, httpPart }) => {
    // A malformed id in a path is an id that no record has; the route answers not found.
    if (httpPart === 'params') return () => true
    const root = httpPart === 'body' ? 'body' : 'query'
    const validate = strictAjv.compile(schema)
    const faultsIn = faultFinder(schema, root)
    const read = root === 'body' ? null : queryReader(schema)
    return (value) => {
      read?.(value)
      if (validate(value)) return true
      return { error: new InvalidRequest(faultsIn(value, validate.errors![0]!)) }
    }
  }
}

/** Validates bodies against this schema instead of the one that the document shows. */
export function bodyCheckedAs(schema: AnySchema): Compiler {
  const compile = validatorCompiler()
  return (route) => compile(route.httpPart === 'body' ? { ...route, schema } : route)
}

/** Validates one part of a body; null if it is valid. */
export function partChecker(schema: AnySchema): (value: unknown) => Refusal | null {
  const validate = strictAjv.compile(schema)
  const faultsIn = faultFinder(schema, 'order')
  return (value) => {
    return validate(value) ? null : invalidFields(faultsIn(value, validate.errors![0]!))
  }
}

/** Converts a text to the type that the schema requires; any other text stays a text. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  // Number() alone would also accept 0x10, 1e2, and surrounding spaces.
  integer: (text) => (/^-?[0-9]+$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

/** Replaces the texts of a query by the values they represent. */
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
