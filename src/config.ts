// The settings of an installation: the environment becomes one checked, frozen object, or the start
// stops with one line. The list of settings drives the parsing and the documents alike.

import { isIP } from 'node:net'
import {
  decimals,
  type FeeRate,
  feeRateMax,
  type Price,
  type Shares,
  sharesCeiling,
  stepsOfText,
  textOf,
  ticksPerUnit,
} from './core/money.ts'
import type { Rules } from './core/state/exchange.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Config = {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly grpcPort: number
  readonly dataDir: string
  /** null for SQLite in dataDir. */
  readonly databaseUrl: string | null
  /** null for the one kept in dataDir. */
  readonly adminApiKey: string | null
  /** 64 hexadecimal digits; null for the one kept in dataDir. */
  readonly secretsKey: string | null
  readonly hasDemoOperator: boolean
  readonly rules: Rules
  readonly eventRetentionMs: number
  readonly allowsInsecureWebhooks: boolean
  readonly logLevel: LogLevel
  /** Per second; 0 for no limit. */
  readonly rateLimits: {
    readonly orders: number
    readonly requests: number
    readonly publicRequests: number
  }
}

/** One line: the setting, the value it has and what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Kind<Value> = {
  /** Completes the sentence "it takes ...". */
  readonly form: string
  /** null for a text that is not of the form. */
  readonly read: (text: string) => Value | null
  /** Its value is never shown. */
  readonly isSecret?: boolean
}

export type Setting<Value = unknown> = Kind<Value> & {
  readonly name: string
  /** As one would write it; null where there is none. */
  readonly fallback: string | null
  readonly meaning: string
}

const msPerHour = 3_600_000
const retentionHoursMax = 720
const rateMax = 1_000_000
const adminKeyLengthMin = 16
const adminKeyLengthMax = 256
const shownValueMax = 80

const port = wholeNumber(0, 65_535)
const shares = steps<Shares>(1, sharesCeiling, decimals.shares)
const price = steps<Price>(1, ticksPerUnit - 1, decimals.price)
const feePercent = steps<FeeRate>(0, feeRateMax, decimals.feeRate)
const rate = wholeNumber(0, rateMax)
const retention = wholeNumber(1, retentionHoursMax)

const table = {
  port: having('PORT', '8084', port, 'REST and WebSocket; 0 takes any free port'),
  grpcPort: having('GRPC_PORT', '50055', port, 'gRPC; 0 takes any free port'),
  host: having('HOST', '0.0.0.0', hostName(), 'The address that is listened on'),
  dataDir: having('DATA_DIR', './data', folder(), 'Where the records and the keys are kept'),
  databaseUrl: setting('DATABASE_URL', databaseAddress(), 'Unset: SQLite in DATA_DIR'),
  adminApiKey: setting('ADMIN_API_KEY', adminKey(), 'Unset: made at first start, in DATA_DIR'),
  secretsKey: setting(
    'OUTCRY_SECRETS_KEY',
    secretsKey(),
    'Seals webhook secrets, peppers API keys; unset: made at first start, in DATA_DIR',
  ),
  demoOperator: having('DEMO_OPERATOR', 'true', truth(), 'A first start makes an operator "demo"'),
  feeRate: having(
    'DEFAULT_TRADING_FEE_PERCENT',
    '2.0',
    feePercent,
    'What each side of a trade pays, for operators without a fee of their own',
  ),
  sharesMin: having('MIN_ORDER_SHARES', '1', shares, 'The smallest order'),
  sharesMax: having('MAX_ORDER_SHARES', '100000', shares, 'The largest order'),
  priceMin: having('MIN_ORDER_PRICE', '0.01', price, 'The lowest price of a LIMIT order'),
  priceMax: having('MAX_ORDER_PRICE', '0.99', price, 'The highest price of a LIMIT order'),
  retentionHours: having(
    'EVENT_RETENTION_HOURS',
    '24',
    retention,
    'How long events can be fetched again',
  ),
  insecureWebhooks: having(
    'WEBHOOK_ALLOW_INSECURE',
    'false',
    truth(),
    'For development: webhooks may be plain http and lead to private addresses',
  ),
  logLevel: having('LOG_LEVEL', 'info', oneOf(logLevels), 'The least that is logged'),
  orderRate: having('RATE_LIMIT_ORDERS', '5000', rate, 'Orders a second of one operator; 0: any'),
  requestRate: having(
    'RATE_LIMIT_REQUESTS',
    '2000',
    rate,
    'Other requests a second of one operator; 0: any',
  ),
  publicRate: having(
    'RATE_LIMIT_PUBLIC',
    '500',
    rate,
    'Requests a second without a key from one address; 0: any',
  ),
} as const

/** In the order in which documents show them. */
export const settings: readonly Setting[] = Object.values(table)

type Env = Readonly<Record<string, string | undefined>>

/** A setting that is empty counts as unset, as tools that pass settings on leave them so. */
export function readConfig(env: Env): Config {
  const ports = { port: valueIn(env, table.port), grpcPort: valueIn(env, table.grpcPort) }
  if (ports.port === ports.grpcPort && ports.port !== 0) {
    throw clash(env, table.grpcPort, table.port, 'another port than')
  }
  return Object.freeze({
    ...ports,
    host: valueIn(env, table.host),
    dataDir: valueIn(env, table.dataDir),
    databaseUrl: givenValueIn(env, table.databaseUrl),
    adminApiKey: givenValueIn(env, table.adminApiKey),
    secretsKey: givenValueIn(env, table.secretsKey),
    hasDemoOperator: valueIn(env, table.demoOperator),
    rules: Object.freeze(readRules(env)),
    eventRetentionMs: valueIn(env, table.retentionHours) * msPerHour,
    allowsInsecureWebhooks: valueIn(env, table.insecureWebhooks),
    logLevel: valueIn(env, table.logLevel),
    rateLimits: Object.freeze({
      orders: valueIn(env, table.orderRate),
      requests: valueIn(env, table.requestRate),
      publicRequests: valueIn(env, table.publicRate),
    }),
  })
}

function readRules(env: Env): Rules {
  const rules = {
    sharesMin: valueIn(env, table.sharesMin),
    sharesMax: valueIn(env, table.sharesMax),
    priceMin: valueIn(env, table.priceMin),
    priceMax: valueIn(env, table.priceMax),
    feeRate: valueIn(env, table.feeRate),
  }
  if (rules.sharesMin > rules.sharesMax) {
    throw clash(env, table.sharesMin, table.sharesMax, 'at most')
  }
  if (rules.priceMin > rules.priceMax) throw clash(env, table.priceMin, table.priceMax, 'at most')
  return rules
}

/** For the documents: the same list in Markdown. */
export function settingsTable(): string {
  const rows = settings.map(({ name, fallback, form, meaning }) => {
    const shown = fallback === null ? '' : `\`${fallback}\``
    return `| \`${name}\` | ${shown} | ${form} | ${meaning} |`
  })
  return ['| setting | default | takes | meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}

function valueIn<Value>(env: Env, given: Setting<Value> & { readonly fallback: string }): Value {
  return parsed(given, textIn(env, given) ?? given.fallback)
}

function givenValueIn<Value>(env: Env, given: Setting<Value>): Value | null {
  const text = textIn(env, given)
  return text === null ? null : parsed(given, text)
}

function textIn(env: Env, { name, fallback }: Setting): string | null {
  return env[name] || fallback
}

function parsed<Value>(given: Setting<Value>, text: string): Value {
  const value = given.read(text)
  if (value !== null) return value
  throw new ConfigError(`${given.name} is ${shownValue(given, text)}; it takes ${given.form}.`)
}

function clash(env: Env, one: Setting, other: Setting, relation: string): ConfigError {
  const [value, bound] = [one, other].map((each) => shownValue(each, textIn(env, each) ?? ''))
  return new ConfigError(`${one.name} is ${value}; it takes ${relation} ${other.name}, ${bound}.`)
}

function shownValue({ isSecret = false }: Setting, text: string): string {
  if (isSecret) return `a text of ${text.length} characters, not shown here`
  return JSON.stringify(text.length > shownValueMax ? `${text.slice(0, shownValueMax)}...` : text)
}

function setting<Value>(name: string, kind: Kind<Value>, meaning: string) {
  return { name, fallback: null, meaning, ...kind }
}

function having<Value>(name: string, fallback: string, kind: Kind<Value>, meaning: string) {
  return { name, fallback, meaning, ...kind }
}

function wholeNumber(min: number, max: number): Kind<number> {
  const read = (text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : null
    return value !== null && value >= min && value <= max ? value : null
  }
  return { form: `a whole number from ${min} to ${max}`, read }
}

/** A decimal that becomes a whole number of steps. */
function steps<Unit extends number>(min: number, max: number, places: number): Kind<Unit> {
  const step = textOf(1, places)
  return {
    form: `a number from ${textOf(min, places)} to ${textOf(max, places)}, in steps of ${step}`,
    read: (text) => {
      const value = stepsOfText(text, places)
      return value !== null && value >= min && value <= max ? (value as Unit) : null
    },
  }
}

function truth(): Kind<boolean> {
  const values = new Map([
    ['true', true],
    ['false', false],
  ])
  return { form: 'true or false', read: (text) => values.get(text) ?? null }
}

function oneOf<Word extends string>(words: readonly Word[]): Kind<Word> {
  const form = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  return { form, read: (text) => words.find((word) => word === text) ?? null }
}

function hostName(): Kind<string> {
  const read = (text: string) =>
    isIP(text) !== 0 || /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10}$/i.test(text) ? text : null
  return { form: 'an IP address or a host name', read }
}

function folder(): Kind<string> {
  return { form: 'the path of a folder', read: (text) => (/\S/.test(text) ? text : null) }
}

function databaseAddress(): Kind<string> {
  const read = (text: string) => {
    const url = /^postgres(?:ql)?:\/\//.test(text) ? URL.parse(text) : null
    const hasHost = url !== null && (url.hostname !== '' || url.searchParams.has('host'))
    return hasHost ? text : null
  }
  return {
    form: 'an address like postgres://name:password@host:5432/database',
    read,
    isSecret: true,
  }
}

function adminKey(): Kind<string> {
  const form = `${adminKeyLengthMin} to ${adminKeyLengthMax} visible ASCII characters, no spaces`
  const pattern = new RegExp(`^[!-~]{${adminKeyLengthMin},${adminKeyLengthMax}}$`)
  return { form, read: (text) => (pattern.test(text) ? text : null), isSecret: true }
}

function secretsKey(): Kind<string> {
  const read = (text: string) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null)
  return { form: '64 hexadecimal digits', read, isSecret: true }
}
