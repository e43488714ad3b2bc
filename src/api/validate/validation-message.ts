// What is wrong with a value that does not match its schema: the field, and the rule it breaks.

import type { ErrorObject } from 'ajv'
import type { Fault } from '../errors.ts'
import { lacksZone } from '../parse/time.ts'

const bidirectional = 'bidirectional formatting characters (U+202A to U+202E, U+2066 to U+2069)'

const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  date: 'must be an existing date such as 2030-01-31, between 1970 and 9999',
  'date-time':
    'must be an existing ISO 8601 time with Z or an offset, such as 2030-01-31T18:00Z, ' +
    'between 1970 and 9999',
  decimal: 'must be a decimal number such as 0.55',
  'https-url': 'must be an https URL such as https://example.com/image.png',
  line: 'must not contain control characters or lone surrogates',
  name: `must not contain control characters, line breaks, ${bidirectional} or lone surrogates`,
  prose:
    `must not contain ${bidirectional}, lone surrogates or control characters other than tabs ` +
    'and line breaks',
}

const noZone = 'has no time zone; append Z or an offset such as +01:00'

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  string: 'a string',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/** `root` names a value that is in no field, such as body or query. */
export function faultOf(error: ErrorObject, root: string): Fault {
  const field = fieldOf(error)
  return { field: field === '' ? root : field, message: ruleOf(error) }
}

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const parts = instancePath.split('/').slice(1)
  if (keyword === 'required') parts.push(String(params.missingProperty))
  if (keyword === 'additionalProperties') parts.push(String(params.additionalProperty))
  return parts.reduce((path, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^\d+$/.test(name)) return `${path}[${name}]`
    return path === '' ? name : `${path}.${name}`
  }, '')
}

function ruleOf({ keyword, params, message, data }: ErrorObject): string {
  const limit = String(params.limit)
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'unknown field'
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => kinds[type])
        .join(' or ')}`
    case 'enum':
      return `must be one of ${[params.allowedValues].flat().map(String).join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'format':
      if (params.format === 'date-time' && lacksZone(String(data))) return noZone
      return formats[params.format] ?? 'is not valid'
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return `must have at least ${limit} items, got ${countOf(data)}`
    case 'maxItems':
      return `must have at most ${limit} items, got ${countOf(data)}`
    case 'uniqueItems':
      return 'must not contain duplicates'
    case 'minimum':
      return `must be at least ${limit}, got ${data}`
    case 'maximum':
      return `must be at most ${limit}, got ${data}`
    case 'pattern':
      return `must match ${params.pattern}`
    default:
      return message ?? 'is not valid'
  }
}

function countOf(items: unknown): number {
  return Array.isArray(items) ? items.length : 0
}
