// Seeded JSON: values that fit a schema, and values that are likely not to.

import type { Random } from '../process/random.ts'

export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly examples?: readonly unknown[]
}

const odd: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 0.5, 1e308, -1e308, 5e-324, 2 ** 53, 1e21, -0],
  ...['', ' ', 'x', '0', '-1', '1e999', 'NaN', 'null', '\u0000', '\n', '\ud800', '%00', '../../..'],
  ...["'; DROP TABLE orders; --", '<script>', 'é'.repeat(300), 'x'.repeat(10_000), '\u202e'],
  ...['2026-13-01T00:00:00Z', '2026-01-01', '00000000-0000-0000-0000-000000000000'],
  ...[[], [[]], {}, { a: {} }, [null], { $ref: '#' }, { length: 1 }, { toString: 1 }],
]

/** A value that fits, but for what only the service can know. */
export function fitting(random: Random, schema: JsonSchema): unknown {
  if (schema.enum !== undefined) return random.pick(schema.enum)
  switch ([schema.type].flat()[0]) {
    case 'object':
      return fittingObject(random, schema)
    case 'array': {
      const count = (schema.minItems ?? 0) + random.between(0, 2)
      return Array.from({ length: count }, () => fitting(random, schema.items ?? {}))
    }
    case 'string':
      return fittingText(random, schema)
    case 'number':
      return random.pick([1, 25, 0.55, 99.99])
    case 'integer':
      return random.between(1, 100)
    case 'boolean':
      return random.chance(50)
    default:
      return random.pick(odd)
  }
}

/** A value of that form with something wrong in it, or another value altogether. */
export function spoilt(random: Random, schema: JsonSchema): unknown {
  const fields = Object.entries(schema.properties ?? {})
  const choice =
    fields.length === 0 ? 'odd' : random.weighted({ odd: 1, field: 6, more: 2, less: 2 })
  if (choice === 'odd') return random.pick(odd)
  const made: Record<string, unknown> = fittingObject(random, schema)
  const [name, inner] = random.pick(fields.length === 0 ? [['x', {}] as const] : fields)
  if (choice === 'field') made[name] = spoilt(random, inner)
  else if (choice === 'less') delete made[name]
  else made[random.pick(['id', 'operatorId', 'status', '__proto__', 'constructor', ''])] = 1
  return made
}

function fittingObject(random: Random, { properties = {}, required = [] }: JsonSchema) {
  const made: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(properties)) {
    if (required.includes(name) || random.chance(50)) made[name] = fitting(random, inner)
  }
  return made
}

function fittingText(random: Random, { format, pattern, examples }: JsonSchema): unknown {
  if (format === 'uuid') return '019b76da-a800-7000-85e6-211d422cb128'
  if (format === 'date-time')
    return random.pick(['2030-01-01T00:00:00Z', '2031-05-05T05:05:05+02:00'])
  if (pattern !== undefined) return examples?.[0] ?? 'abc'
  return random.pick(['ann', 'Rain?', 'ü', 'a b'])
}
