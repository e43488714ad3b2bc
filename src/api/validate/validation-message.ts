// What is said about a value that does not fit its schema: the field, then the rule.

import type { ErrorObject } from 'ajv'
import { lacksZone } from '../parse/time.ts'

const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  'date-time':
    'must be an existing ISO 8601 time with Z or an offset, like 2030-01-31T18:00Z, ' +
    'from 1970 to 9999',
  decimal: 'must be a decimal like 0.55',
  line: 'may not contain control characters or lone surrogates',
  prose: 'may not contain control characters (but tabs and line breaks) or lone surrogates',
}

const noZone = 'has no zone: put Z or an offset like +01:00 behind the time'

const kinds: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  string: 'a string',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/** `root` is what a value without a field is called: body or query. */
export function messageOf(error: ErrorObject, root: string): string {
  const field = fieldOf(error)
  return `${field === '' ? root : field}: ${ruleOf(error)}`
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
      return 'is not known here'
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => kinds[type])
        .join(' or ')}`
    case 'enum':
      return `must be one of ${[params.allowedValues].flat().map(String).join(', ')}`
    case 'format':
      if (params.format === 'date-time' && lacksZone(String(data))) return noZone
      return formats[params.format] ?? 'has the wrong form'
    case 'minLength':
      return limit === '1' ? 'may not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return `must have at least ${limit} items`
    case 'maxItems':
      return `must have at most ${limit} items`
    case 'uniqueItems':
      return 'may not name anything twice'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'pattern':
      return `must match ${params.pattern}`
    default:
      return message ?? 'is not valid'
  }
}
