// Generated blocks of documents: a table of fields from a schema, and an example from a real run,
// between two marks. The prose around them is written by hand.

import type { Json } from '../process/outcry-process.ts'

/** Replaces each block between its marks, and returns the names of the marks. */
export function fillBlocks(text: string, blocks: ReadonlyMap<string, string>) {
  const names: string[] = []
  const filled = text.replace(
    /<!-- made: (\w+) -->[\s\S]*?<!-- end -->/g,
    (_whole, name: string) => {
      names.push(name)
      return `<!-- made: ${name} -->\n\n${blocks.get(name) ?? 'unknown'}\n\n<!-- end -->`
    },
  )
  return { filled, names }
}

export function blockOf(schema: Json, example: unknown): string {
  return `${fieldTable(schema)}\n\n\`\`\`json\n${exampleText(example)}\n\`\`\``
}

function fieldTable({ properties, required = [] }: Json): string {
  const rows = Object.entries<Json>(properties).map(([name, field]) => {
    const isOptional = !required.includes(name)
    const meaning = `${isOptional ? 'Optional. ' : ''}${field.description ?? ''}`.trim()
    return `| \`${name}\` | ${typeOf(field)} | ${meaning} |`
  })
  return ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n')
}

const wordsShownMax = 12

function typeOf(field: Json): string {
  if (field.const !== undefined) return `\`"${field.const}"\``
  if (field.$ref !== undefined) return nameOf(field.$ref)
  if (field.enum?.length > wordsShownMax) return 'a code'
  if (field.enum !== undefined) return field.enum.map((word: string) => `\`${word}\``).join(', ')
  if (field.type === 'array') return `array of ${typeOf(field.items)}`
  if (field.type === 'object' && field.properties !== undefined) {
    return `{ ${Object.keys(field.properties).join(', ')} }`
  }
  const isNullable = Array.isArray(field.type)
  const plain = isNullable ? field.type[0] : field.type
  const named = field.format === 'uuid' ? 'id' : field.format === 'date-time' ? 'time' : plain
  return isNullable ? `${named} or null` : named
}

function nameOf(ref: string): string {
  const name = ref.split('/').at(-1)!
  return name === 'Level' ? '{ price, shares, orderCount }' : name
}

// Short enough to be read: each list of levels is on one line.
function exampleText(example: unknown): string {
  const text = JSON.stringify(example, null, 2).replace(
    /\[\s+((?:"[\w-]+",?\s+)+)\]/g,
    (_whole, inside: string) => `[${inside.trim().replace(/\s+/g, ' ')}]`,
  )
  return text.replace(/\{\s+("(?:price|outcomeId|id)"[^{}]*?)\s+\}/g, (_whole, inside: string) => {
    return `{ ${inside.replace(/\s*\n\s*/g, ' ')} }`
  })
}

const dayMs = 24 * 3_600_000

/** Ids and times that are the same in every run: they are counted as they come. */
export class Stable {
  readonly #ids = new Map<string, string>()
  readonly #start: number

  constructor(start: number) {
    this.#start = start
  }

  of(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.of(each))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, this.#field(name, part)]),
      )
    }
    return typeof value === 'string' ? this.#text(value) : value
  }

  #field(name: string, part: unknown): unknown {
    if (name === 'timestamp') return this.#start
    const isLater = name === 'expiresAt' || name === 'tradingEndsAt' || name === 'deadline'
    return isLater && part !== null ? new Date(this.#start + dayMs).toISOString() : this.of(part)
  }

  #text(text: string): string {
    if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(this.#start).toISOString()
    if (text.startsWith('oc_live_')) return 'oc_live_...'
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$/.test(text)) return text
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const count = (this.#ids.size + 1).toString(16).padStart(12, '0')
    const made = `01a1e000-0000-7000-8000-${count}`
    this.#ids.set(text, made)
    return made
  }
}
