// The settings of the service, read from environment variables into a checked, frozen object. The
// same list of settings is used for parsing and for the table in docs/operating.md.

import type { AddressBlock } from './address-blocks.ts'
import { type ClusterConfig, clusterTable, readCluster, shardsMax } from './cluster-config.ts'
import {
  operatorMarketsMax,
  operatorOutcomesMax,
  operatorTextMbMax,
} from './core/markets/operator-limits.ts'
import {
  decimals,
  type FeeRate,
  feeRateMax,
  type Price,
  type Shares,
  sharesCeiling,
  ticksPerUnit,
} from './core/money.ts'
import type { OperatorLimit } from './core/reject.ts'
import type { Rules } from './core/state/exchange.ts'
import {
  accessKey,
  addressBlocks,
  databaseAddress,
  folder,
  hostName,
  oneOf,
  secretsKey,
  steps,
  trueOrFalse,
  wholeNumber,
} from './setting-kinds.ts'
import {
  ConfigError,
  conflict,
  type Env,
  optional,
  optionalValueIn,
  type Setting,
  valueIn,
  withDefault,
} from './settings.ts'

export type { ClusterConfig } from './cluster-config.ts'
export { ConfigError } from './settings.ts'

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Config = {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly grpcPort: number
  /** null if the metrics are served on the port for REST. */
  readonly metricsPort: number | null
  /** null if the metrics need no key. */
  readonly metricsKey: string | null
  readonly dataDir: string
  /** null for SQLite in dataDir. */
  readonly databaseUrl: string | null
  /** How many shards the database has at least. */
  readonly shardCount: number
  /** null for a process that is alone on its database, or has front ends on SQLite. */
  readonly cluster: ClusterConfig | null
  /** How many processes serve clients for this one; 0 if it serves them itself. */
  readonly frontEnds: number
  /** null for the one in dataDir/admin.key. */
  readonly adminApiKey: string | null
  /** 64 hexadecimal digits; null for the one in dataDir/secrets.key. */
  readonly secretsKey: string | null
  readonly hasDemoOperator: boolean
  readonly rules: Rules
  readonly eventRetentionMs: number
  readonly auditRetentionMs: number
  readonly allowsInsecureWebhooks: boolean
  /** Whether to start with a clock that is far behind the stored time. */
  readonly acceptsClockBehind: boolean
  readonly logLevel: LogLevel
  /** Whose reports of the addresses of clients are believed. */
  readonly trustedProxies: readonly AddressBlock[]
  /** Per second; 0 for no limit. */
  readonly rateLimits: {
    readonly orders: number
    readonly requests: number
    readonly publicRequests: number
  }
}

const msPerHour = 3_600_000
const msPerDay = 24 * msPerHour
const shardsAlone = 1
const shardsOfCluster = 16
const retentionHoursMax = 720
const auditDaysMax = 3_650
const rateMax = 1_000_000
const fillsMax = 1_000_000
const operatorLimitMax = 1_000_000_000

const port = wholeNumber(0, 65_535)
const shares = steps<Shares>(1, sharesCeiling, decimals.shares)
const price = steps<Price>(1, ticksPerUnit - 1, decimals.price)
const feePercent = steps<FeeRate>(0, feeRateMax, decimals.feeRate)
const rate = wholeNumber(0, rateMax)
const fills = wholeNumber(0, fillsMax)
const retention = wholeNumber(1, retentionHoursMax)
const auditDays = wholeNumber(1, auditDaysMax)

const table = {
  port: withDefault('PORT', '8084', port, 'Port for REST and WebSocket; 0 for any free port'),
  grpcPort: withDefault('GRPC_PORT', '50055', port, 'Port for gRPC; 0 for any free port'),
  metricsPort: optional(
    'METRICS_PORT',
    port,
    'Port for the metrics only; 0 for any free port. Default: they are on `PORT`',
  ),
  metricsKey: optional(
    'METRICS_KEY',
    accessKey(),
    'Key that a request for the metrics must send. Default: they need none',
  ),
  host: withDefault('HOST', '0.0.0.0', hostName(), 'Address to listen on'),
  dataDir: withDefault('DATA_DIR', './data', folder(), 'Folder for the database and key files'),
  databaseUrl: optional('DATABASE_URL', databaseAddress(), 'Default: SQLite in `DATA_DIR`'),
  shardCount: optional(
    'SHARDS',
    wholeNumber(1, shardsMax),
    'Shards of the PostgreSQL database, which are created; they may become more, never fewer. ' +
      `Default: ${shardsAlone}; with \`CLUSTER=true\` ${shardsOfCluster}`,
  ),
  ...clusterTable,
  adminApiKey: optional(
    'ADMIN_API_KEY',
    accessKey(),
    'Key of the administrator. Default: `admin.key` in `DATA_DIR`, created at the first start',
  ),
  secretsKey: optional(
    'OUTCRY_SECRETS_KEY',
    secretsKey(),
    'Encrypts webhook secrets and peppers the digests of API keys. ' +
      'Default: `secrets.key` in `DATA_DIR`, created at the first start',
  ),
  demoOperator: withDefault(
    'DEMO_OPERATOR',
    'true',
    trueOrFalse(),
    'Whether the first start creates an operator `demo`',
  ),
  feeRate: withDefault(
    'DEFAULT_TRADING_FEE_PERCENT',
    '2.0',
    feePercent,
    'Fee of each side of a trade, for operators without their own fee',
  ),
  sharesMin: withDefault('MIN_ORDER_SHARES', '1', shares, 'Minimum shares of an order'),
  sharesMax: withDefault('MAX_ORDER_SHARES', '100000', shares, 'Maximum shares of an order'),
  orderFillsMax: withDefault(
    'MAX_ORDER_FILLS',
    '5000',
    fills,
    'Trades that one order may make when it is placed or amended; 0 for no limit',
  ),
  priceMin: withDefault('MIN_ORDER_PRICE', '0.01', price, 'Minimum price of a LIMIT order'),
  priceMax: withDefault('MAX_ORDER_PRICE', '0.99', price, 'Maximum price of a LIMIT order'),
  operatorMarkets: operatorLimit(
    'MAX_OPERATOR_MARKETS',
    operatorMarketsMax,
    'Maximum markets of an operator that are neither SETTLED nor CANCELLED; 0 for no limit',
  ),
  operatorOutcomes: operatorLimit(
    'MAX_OPERATOR_OUTCOMES',
    operatorOutcomesMax,
    'Maximum outcomes of these markets together; 0 for no limit',
  ),
  operatorTextMb: operatorLimit(
    'MAX_OPERATOR_TEXT_MB',
    operatorTextMbMax,
    'Maximum text of these markets together, in MB of 1048576 bytes; 0 for no limit',
  ),
  retentionHours: withDefault(
    'EVENT_RETENTION_HOURS',
    '24',
    retention,
    'Hours for which events can be read and delivered',
  ),
  auditDays: withDefault(
    'AUDIT_RETENTION_DAYS',
    '400',
    auditDays,
    'Days for which acts of management and administration are in the audit log',
  ),
  insecureWebhooks: withDefault(
    'WEBHOOK_ALLOW_INSECURE',
    'false',
    trueOrFalse(),
    'For development: allows webhooks with http, private addresses and any port',
  ),
  clockBehind: withDefault(
    'ACCEPT_CLOCK_BEHIND',
    'false',
    trueOrFalse(),
    'Whether to start with a clock more than 5 minutes behind the stored time',
  ),
  logLevel: withDefault(
    'LOG_LEVEL',
    'info',
    oneOf(logLevels),
    'Lowest level that is logged; debug has a line for each REST request',
  ),
  orderRate: withDefault(
    'RATE_LIMIT_ORDERS',
    '5000',
    rate,
    'Orders per second and operator, by cost; 0 for no limit',
  ),
  requestRate: withDefault(
    'RATE_LIMIT_REQUESTS',
    '2000',
    rate,
    'Other requests per second and operator, by cost; 0 for no limit',
  ),
  publicRate: withDefault(
    'RATE_LIMIT_PUBLIC',
    '500',
    rate,
    'Requests without a key per second and client address; 0 for no limit',
  ),
  trustedProxies: optional(
    'TRUSTED_PROXIES',
    addressBlocks(),
    'Proxies whose X-Forwarded-For and Forwarded state the address of a client. Default: none',
  ),
} as const

/** In the order of the documentation. */
export const settings: readonly Setting[] = Object.values(table)

/** An empty setting counts as unset, because tools such as Docker Compose pass unset ones so. */
export function readConfig(env: Env): Config {
  const databaseUrl = optionalValueIn(env, table.databaseUrl)
  const host = valueIn(env, table.host)
  const secrets = [table.secretsKey, table.adminApiKey]
  const cluster = readCluster(env, { databaseUrl, host, secrets })
  checkPorts(env, cluster)
  const shardCount =
    optionalValueIn(env, table.shardCount) ??
    (valueIn(env, table.cluster) ? shardsOfCluster : shardsAlone)
  if (databaseUrl === null && shardCount > 1) {
    throw new ConfigError(`SHARDS must be 1 without DATABASE_URL, got "${shardCount}".`)
  }
  return Object.freeze({
    port: valueIn(env, table.port),
    grpcPort: valueIn(env, table.grpcPort),
    metricsPort: optionalValueIn(env, table.metricsPort),
    metricsKey: optionalValueIn(env, table.metricsKey),
    host,
    dataDir: valueIn(env, table.dataDir),
    databaseUrl,
    shardCount,
    cluster,
    frontEnds: valueIn(env, table.frontEnds),
    adminApiKey: optionalValueIn(env, table.adminApiKey),
    secretsKey: optionalValueIn(env, table.secretsKey),
    hasDemoOperator: valueIn(env, table.demoOperator),
    rules: Object.freeze(readRules(env)),
    eventRetentionMs: valueIn(env, table.retentionHours) * msPerHour,
    auditRetentionMs: valueIn(env, table.auditDays) * msPerDay,
    allowsInsecureWebhooks: valueIn(env, table.insecureWebhooks),
    acceptsClockBehind: valueIn(env, table.clockBehind),
    logLevel: valueIn(env, table.logLevel),
    trustedProxies: Object.freeze(optionalValueIn(env, table.trustedProxies) ?? []),
    rateLimits: Object.freeze({
      orders: valueIn(env, table.orderRate),
      requests: valueIn(env, table.requestRate),
      publicRequests: valueIn(env, table.publicRate),
    }),
  })
}

/** Each that is open has a number of its own; 0 for any free port. */
function checkPorts(env: Env, cluster: ClusterConfig | null): void {
  const taken = new Map<number, Setting>()
  const ports = [table.port, table.grpcPort, table.metricsPort]
  if (cluster !== null && !cluster.isOneMachine) ports.push(table.clusterPort)
  for (const setting of ports) {
    const number = optionalValueIn(env, setting) ?? 0
    const other = taken.get(number)
    if (number !== 0 && other !== undefined) throw conflict(env, setting, other, 'differ from')
    taken.set(number, setting)
  }
}

function readRules(env: Env): Rules {
  const rules = {
    sharesMin: valueIn(env, table.sharesMin),
    sharesMax: valueIn(env, table.sharesMax),
    orderFillsMax: valueIn(env, table.orderFillsMax),
    priceMin: valueIn(env, table.priceMin),
    priceMax: valueIn(env, table.priceMax),
    feeRate: valueIn(env, table.feeRate),
    operatorMarketsMax: valueIn(env, table.operatorMarkets),
    operatorOutcomesMax: valueIn(env, table.operatorOutcomes),
    operatorTextMbMax: valueIn(env, table.operatorTextMb),
  }
  if (rules.sharesMin > rules.sharesMax) {
    throw conflict(env, table.sharesMin, table.sharesMax, 'be at most')
  }
  if (rules.priceMin > rules.priceMax) {
    throw conflict(env, table.priceMin, table.priceMax, 'be at most')
  }
  return rules
}

/** The settings as a Markdown table, for the documentation. */
export function settingsTable(): string {
  const rows = settings.map(({ name, fallback, expected, meaning }) => {
    const shown = fallback === null ? '' : `\`${fallback}\``
    return `| \`${name}\` | ${shown} | ${expected} | ${meaning} |`
  })
  return ['| setting | default | value | meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}

/** An answer with OPERATOR_LIMIT contains the name of the setting. */
function operatorLimit(name: OperatorLimit, fallback: number, meaning: string) {
  return withDefault(name, String(fallback), wholeNumber(0, operatorLimitMax), meaning)
}
