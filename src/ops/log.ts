// The log: one JSON object per line on stdout. The caller chooses the fields; keys, secrets and
// bodies are removed here in any case.

import { pino } from 'pino'

/** The caller cannot set the fields that every line has. */
export type LogFields = Readonly<Record<string, unknown>> & {
  readonly level?: never
  readonly time?: never
  readonly event?: never
}
type Write = (event: string, fields?: LogFields) => void

export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
  /** Whether lines of the lowest level are written, for those that cost more than to write. */
  readonly isDebug: boolean
}

export type LogOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Receives each line with its line end; stdout by default. */
  readonly write?: (line: string) => void
}

// A blocked reader of the log must not stop the exchange: beyond this limit, lines are dropped.
const bufferedBytesMax = 4 * 1024 * 1024

export function createLog({ level, write }: LogOptions): Log {
  const options = {
    level,
    messageKey: 'event',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    base: null,
  }
  const logger = pino(options, write === undefined ? stdout() : { write })
  const writeAt =
    (at: 'debug' | 'info' | 'warn' | 'error'): Write =>
    (event, fields = {}) => {
      if (logger.isLevelEnabled(at)) logger[at](new Cleaner().object(fields, 0), event)
    }
  return {
    debug: writeAt('debug'),
    info: writeAt('info'),
    warn: writeAt('warn'),
    error: writeAt('error'),
    isDebug: logger.isLevelEnabled('debug'),
  }
}

// Lines that cannot be written, for example to a full disk, are kept within the limit and written
// later. At exit the library would wait for them, without end.
function stdout() {
  const destination = pino.destination({ dest: 1, sync: false, maxLength: bufferedBytesMax })
  const flushSync = destination.flushSync.bind(destination)
  let isFailing = false
  destination.on('error', () => {
    isFailing = true
  })
  destination.on('write', () => {
    isFailing = false
  })
  destination.flushSync = () => {
    if (!isFailing) flushSync()
  }
  return destination
}

const hidden = '[hidden]'
const hiddenNames = new Set([
  'adminapikey',
  'adminkey',
  'apikey',
  'authorization',
  'body',
  'cookie',
  'databaseurl',
  'digest',
  'outcrysecretskey',
  'password',
  'payload',
  'previoussealedsecret',
  'sealedsecret',
  'secret',
  'secretkey',
  'setcookie',
  'signature',
  'signingsecret',
  'token',
  'webhooksignature',
  'xadminkey',
  'xapikey',
  'xwebhooksignature',
])
// Keys, and passwords in URLs, are recognized by their format anywhere in a text.
const keyForm = /\boc_(live|admin)_[0-9A-Za-z]{8,}/g
const passwordForm = /(\/\/[^/\s:@]*):[^/\s@]*@/g
const depthMax = 6
const itemsMax = 100
const valuesMax = 500
const textMax = 8_192

/** Prepares the fields of a line: hides secrets and limits the size, also of circular objects. */
class Cleaner {
  #valuesLeft = valuesMax

  object(value: object, depth: number): Readonly<Record<string, unknown>> {
    const entries = Object.entries(value).slice(0, itemsMax)
    return Object.fromEntries(
      entries.map(([name, inner]) => [name, isHidden(name) ? hidden : this.#value(inner, depth)]),
    )
  }

  #value(value: unknown, depth: number): unknown {
    this.#valuesLeft -= 1
    if (this.#valuesLeft < 0) return '[more]'
    if (typeof value === 'string') return cleanText(value)
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= depthMax) return '[deeper]'
    if (value instanceof Error) return this.#error(value, depth + 1)
    if (value instanceof Date) return value.getTime()
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    if (!Array.isArray(value)) return this.object(value, depth + 1)
    return value.slice(0, itemsMax).map((item: unknown) => this.#value(item, depth + 1))
  }

  /** Without other fields: errors of libraries can carry whole requests. */
  #error(error: Error, depth: number): Readonly<Record<string, unknown>> {
    const { name, message, stack = '', cause } = error
    return {
      name,
      message: cleanText(message),
      ...('code' in error ? { code: this.#value(error.code, depthMax) } : {}),
      stack: cleanText(stack),
      ...(cause === undefined ? {} : { cause: this.#value(cause, depth) }),
    }
  }
}

function cleanText(text: string): string {
  const short = text.length > textMax ? `${text.slice(0, textMax)}...` : text
  return short.replace(keyForm, `oc_$1_${hidden}`).replace(passwordForm, `$1:${hidden}@`)
}

function isHidden(name: string): boolean {
  return hiddenNames.has(name.toLowerCase().replace(/[-_]/g, ''))
}
