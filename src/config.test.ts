// The settings: their defaults, their valid values, and the errors for invalid ones.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ConfigError, readConfig, settings, settingsTable } from './config.ts'
import { Ids } from './core/ids.ts'
import { Exchange } from './core/state/exchange.ts'

const hexKey = '0123456789abcdef'.repeat(4)

function messageOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  assert.fail(`${JSON.stringify(env)} was accepted`)
}

describe('settings', () => {
  test('that are unset have their defaults', () => {
    assert.deepEqual(readConfig({}), {
      host: '0.0.0.0',
      port: 8084,
      grpcPort: 50055,
      metricsPort: null,
      metricsKey: null,
      dataDir: './data',
      databaseUrl: null,
      shardCount: 1,
      cluster: null,
      frontEnds: 0,
      adminApiKey: null,
      secretsKey: null,
      hasDemoOperator: true,
      rules: {
        sharesMin: 100,
        sharesMax: 10_000_000,
        orderFillsMax: 5_000,
        priceMin: 100,
        priceMax: 9_900,
        feeRate: 200,
        operatorMarketsMax: 20_000,
        operatorOutcomesMax: 100_000,
        operatorTextMbMax: 256,
      },
      eventRetentionMs: 86_400_000,
      auditRetentionMs: 400 * 86_400_000,
      allowsInsecureWebhooks: false,
      acceptsClockBehind: false,
      logLevel: 'info',
      trustedProxies: [],
      rateLimits: { orders: 5_000, requests: 2_000, publicRequests: 500 },
    })
  })

  test('that are empty have their defaults', () => {
    const empty = Object.fromEntries(settings.map(({ name }) => [name, '']))
    assert.deepEqual(readConfig(empty), readConfig({}))
  })

  test('are read from the environment', () => {
    const env = {
      PORT: '0',
      GRPC_PORT: '0',
      METRICS_PORT: '9464',
      METRICS_KEY: 'sixteen-letters?',
      HOST: '::1',
      DATA_DIR: '/var/lib/outcry',
      DATABASE_URL: 'postgres://outcry:hidden@db.example.com:5432/outcry',
      SHARDS: '4096',
      CLUSTER: 'true',
      NODE_SHARDS_MAX: '0',
      CLUSTER_PORT: '0',
      NODE_ADDRESS: 'node-1.example:50056',
      CLUSTER_TLS_CERT: '/etc/outcry/node.crt',
      CLUSTER_TLS_KEY: '/etc/outcry/node.key',
      CLUSTER_TLS_CA: '/etc/outcry/ca.crt',
      CLUSTER_PLAINTEXT: 'true',
      SHARD_LEASE_MS: '2000',
      FRONT_ENDS: '0',
      ADMIN_API_KEY: 'sixteen-letters!',
      OUTCRY_SECRETS_KEY: hexKey.toUpperCase(),
      DEMO_OPERATOR: 'false',
      DEFAULT_TRADING_FEE_PERCENT: '0.25',
      MIN_ORDER_SHARES: '0.01',
      MAX_ORDER_SHARES: '900000',
      MAX_ORDER_FILLS: '70',
      MIN_ORDER_PRICE: '0.0001',
      MAX_ORDER_PRICE: '0.9999',
      MAX_OPERATOR_MARKETS: '0',
      MAX_OPERATOR_OUTCOMES: '1000000000',
      MAX_OPERATOR_TEXT_MB: '1',
      EVENT_RETENTION_HOURS: '48',
      AUDIT_RETENTION_DAYS: '3650',
      WEBHOOK_ALLOW_INSECURE: 'true',
      ACCEPT_CLOCK_BEHIND: 'true',
      LOG_LEVEL: 'debug',
      RATE_LIMIT_ORDERS: '0',
      RATE_LIMIT_REQUESTS: '1',
      RATE_LIMIT_PUBLIC: '1000000',
      TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,fd00::/8,::1',
    }
    assert.deepEqual(
      Object.keys(env).sort(),
      settings.map(({ name }) => name).sort(),
      'this test sets every setting',
    )
    assert.deepEqual(readConfig(env), {
      host: '::1',
      port: 0,
      grpcPort: 0,
      metricsPort: 9_464,
      metricsKey: 'sixteen-letters?',
      dataDir: '/var/lib/outcry',
      databaseUrl: env.DATABASE_URL,
      shardCount: 4096,
      cluster: {
        isOneMachine: false,
        nodeShardsMax: 0,
        host: '::1',
        port: 0,
        address: 'node-1.example:50056',
        leaseMs: 2_000,
        tls: {
          cert: '/etc/outcry/node.crt',
          key: '/etc/outcry/node.key',
          ca: '/etc/outcry/ca.crt',
        },
      },
      frontEnds: 0,
      adminApiKey: 'sixteen-letters!',
      secretsKey: hexKey,
      hasDemoOperator: false,
      rules: {
        sharesMin: 1,
        sharesMax: 90_000_000,
        orderFillsMax: 70,
        priceMin: 1,
        priceMax: 9_999,
        feeRate: 25,
        operatorMarketsMax: 0,
        operatorOutcomesMax: 1_000_000_000,
        operatorTextMbMax: 1,
      },
      eventRetentionMs: 2 * 86_400_000,
      auditRetentionMs: 3_650 * 86_400_000,
      allowsInsecureWebhooks: true,
      acceptsClockBehind: true,
      logLevel: 'debug',
      rateLimits: { orders: 0, requests: 1, publicRequests: 1_000_000 },
      trustedProxies: [
        { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
        { address: '192.0.2.1', prefix: 32, family: 'ipv4' },
        { address: 'fd00::', prefix: 8, family: 'ipv6' },
        { address: '::1', prefix: 128, family: 'ipv6' },
      ],
    })
  })

  test('at their bounds are rules that the core accepts', () => {
    const ids = new Ids({ shard: 0, key: [1, 2] })
    const widest = {
      MIN_ORDER_SHARES: '0.01',
      MAX_ORDER_SHARES: '900000',
      MIN_ORDER_PRICE: '0.0001',
    }
    for (const fee of ['0', '100']) {
      const env = { ...widest, MAX_ORDER_PRICE: '0.9999', DEFAULT_TRADING_FEE_PERCENT: fee }
      assert.ok(new Exchange(readConfig(env).rules, ids))
    }
  })

  test('cannot be changed once they are read', () => {
    const config = readConfig({})
    assert.ok(Object.isFrozen(config))
    for (const value of Object.values(config)) assert.ok(Object.isFrozen(value))
  })

  test('can ask for front ends on SQLite', () => {
    assert.equal(readConfig({ FRONT_ENDS: '64' }).frontEnds, 64)
  })

  test('can name several servers of a database', () => {
    const databaseUrl = 'postgres://a:b@c/e, postgresql://a:b@d:5433/e'
    assert.equal(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl, databaseUrl)
  })

  test('can name a database on a local socket', () => {
    const databaseUrl = 'postgresql:///outcry?host=/run/postgresql'
    assert.equal(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl, databaseUrl)
  })
})

const wrong: readonly (readonly [name: string, ...values: readonly string[]])[] = [
  ['PORT', 'abc', '-1', '65536', '80.5', ' 80', '8e3', '0x50', '80\n'],
  ['GRPC_PORT', '65536', 'none'],
  ['HOST', 'a b', 'http://a', 'a:80', '[::1]', 'a..b'],
  ['DATA_DIR', ' '],
  [
    'DATABASE_URL',
    ...['mysql://a/b', 'postgres', 'postgres:a', 'postgres:///b', 'postgres://a:b:c/d'],
    ...['postgres://a:1,c:2/b', 'postgres://a/b,', 'postgres://a/b,postgres:///b'],
  ],
  ['SHARDS', '0', '4097', '1.5', 'many'],
  ['CLUSTER', 'yes', '1'],
  ['NODE_SHARDS_MAX', '-1', '4097'],
  ['CLUSTER_PORT', '65536', 'x'],
  ['NODE_ADDRESS', 'node-1', 'node-1:0', 'node-1:65536', 'http://node-1:50056'],
  ['CLUSTER_TLS_CERT', ' '],
  ['CLUSTER_TLS_KEY', ' '],
  ['CLUSTER_TLS_CA', ' '],
  ['CLUSTER_PLAINTEXT', 'yes'],
  ['SHARD_LEASE_MS', '1999', '30001'],
  ['FRONT_ENDS', '-1', '65'],
  ['ADMIN_API_KEY', 'fifteen-letters', 'sixteen letters!', 'a'.repeat(257), 'ä'.repeat(20)],
  ['OUTCRY_SECRETS_KEY', hexKey.slice(1), `${hexKey}0`, 'g'.repeat(64)],
  ['DEMO_OPERATOR', 'yes', '1', 'TRUE', 'False'],
  ['DEFAULT_TRADING_FEE_PERCENT', '-0.01', '100.01', '2.005', '2%', '1e1', 'NaN'],
  ['MIN_ORDER_SHARES', '0', '0.001', '-1', '1,5'],
  ['MAX_ORDER_SHARES', '900000.01', '0', 'Infinity'],
  ['MAX_ORDER_FILLS', '1000001', '-1', '1.5'],
  ['MIN_ORDER_PRICE', '0', '0.00005', '1'],
  ['MAX_ORDER_PRICE', '1', '0.99999', '0'],
  ['MAX_OPERATOR_MARKETS', '-1', '1.5', '1000000001'],
  ['MAX_OPERATOR_OUTCOMES', 'none'],
  ['MAX_OPERATOR_TEXT_MB', '0.5', '256MB'],
  ['EVENT_RETENTION_HOURS', '0', '721', '1.5'],
  ['AUDIT_RETENTION_DAYS', '0', '3651', '1.5', 'never'],
  ['WEBHOOK_ALLOW_INSECURE', 'on'],
  ['ACCEPT_CLOCK_BEHIND', '1'],
  ['LOG_LEVEL', 'verbose', 'INFO'],
  ['RATE_LIMIT_ORDERS', '-1', '1000001', '0.5'],
  ['RATE_LIMIT_REQUESTS', 'none'],
  ['RATE_LIMIT_PUBLIC', 'none'],
  ['METRICS_PORT', '-1', '65536', 'x'],
  ['METRICS_KEY', 'fifteen-letters', 'sixteen letters!', 'a'.repeat(257)],
  ['TRUSTED_PROXIES', 'proxy', '10.0.0.0/33', '::1/129', '10.0.0.1;::1', ',', '10.0.0.1,', '1.2.3'],
]

describe('an invalid setting', () => {
  for (const [name, ...values] of wrong) {
    test(`${name} stops the start with one line that names it and what is expected`, () => {
      for (const value of values) {
        const message = messageOf({ [name]: value })
        const { expected } = settings.find((setting) => setting.name === name)!
        assert.ok(message.startsWith(`${name} must be ${expected}, got `), message)
        assert.ok(!message.includes('\n'), message)
      }
    })
  }

  test('is tested for every setting', () => {
    assert.deepEqual(wrong.map(([name]) => name).sort(), settings.map(({ name }) => name).sort())
  })

  test('is quoted in the error, and a long one is shortened', () => {
    assert.match(messageOf({ PORT: 'a\nb' }), /, got "a\\nb"\.$/)
    assert.ok(messageOf({ PORT: '9'.repeat(5_000) }).length < 200)
  })

  test('that is a secret is not shown', () => {
    const secrets = ['ADMIN_API_KEY', 'METRICS_KEY', 'OUTCRY_SECRETS_KEY', 'DATABASE_URL']
    for (const name of secrets) {
      assert.match(messageOf({ [name]: 'hidden' }), /, got a secret text of 6 characters\.$/)
    }
  })
})

describe('conflicting settings', () => {
  const clashes: readonly (readonly [env: Readonly<Record<string, string>>, message: string])[] = [
    [
      { MIN_ORDER_SHARES: '20', MAX_ORDER_SHARES: '10' },
      'MIN_ORDER_SHARES must be at most MAX_ORDER_SHARES ("10"), got "20".',
    ],
    [
      { MAX_ORDER_SHARES: '0.5' },
      'MIN_ORDER_SHARES must be at most MAX_ORDER_SHARES ("0.5"), got "1".',
    ],
    [
      { MIN_ORDER_PRICE: '0.995' },
      'MIN_ORDER_PRICE must be at most MAX_ORDER_PRICE ("0.99"), got "0.995".',
    ],
    [{ SHARDS: '2' }, 'SHARDS must be 1 without DATABASE_URL, got "2".'],
    [{ CLUSTER: 'true' }, 'CLUSTER=true needs DATABASE_URL.'],
    [
      { CLUSTER: 'true', DATABASE_URL: 'postgres://a/b' },
      'CLUSTER=true needs OUTCRY_SECRETS_KEY, the same for every node.',
    ],
    [
      { CLUSTER: 'true', DATABASE_URL: 'postgres://a/b', OUTCRY_SECRETS_KEY: hexKey },
      'CLUSTER=true needs ADMIN_API_KEY, the same for every node.',
    ],
    [
      { CLUSTER_TLS_CERT: 'node.crt', CLUSTER_TLS_KEY: 'node.key' },
      'CLUSTER_TLS_CA must be set if the other files for TLS are.',
    ],
    [
      { DATABASE_URL: 'postgres://a/b,postgres://c/d' },
      'DATABASE_URL must name the same database at every server, got "b" and "d".',
    ],
    [
      { DATABASE_URL: 'postgres://a/b,postgres://u:p@a:5432/b' },
      'DATABASE_URL must name each server once, got a:5432 twice.',
    ],
    [
      { DATABASE_URL: Array.from({ length: 6 }, (_, at) => `postgres://a${at}/b`).join() },
      'DATABASE_URL must name at most 5 servers, got 6.',
    ],
    [{ METRICS_PORT: '8084' }, 'METRICS_PORT must differ from PORT ("8084"), got "8084".'],
    [{ GRPC_PORT: '8084' }, 'GRPC_PORT must differ from PORT ("8084"), got "8084".'],
    [
      {
        CLUSTER: 'true',
        HOST: '127.0.0.1',
        DATABASE_URL: 'postgres://a/b',
        OUTCRY_SECRETS_KEY: hexKey,
        ADMIN_API_KEY: 'a-long-admin-key',
        CLUSTER_PORT: '50055',
      },
      'CLUSTER_PORT must differ from GRPC_PORT ("50055"), got "50055".',
    ],
  ]
  for (const [env, message] of clashes) {
    test(`are refused: ${message}`, () => assert.equal(messageOf(env), message))
  }

  test('nodes on other machines need TLS, or say that they do without', () => {
    const env = {
      CLUSTER: 'true',
      DATABASE_URL: 'postgres://a/b',
      OUTCRY_SECRETS_KEY: hexKey,
      ADMIN_API_KEY: 'sixteen-letters!',
    }
    const local = { ...env, HOST: '127.0.0.1' }
    assert.match(messageOf(env), /^CLUSTER=true needs CLUSTER_TLS_CERT, /)
    assert.match(messageOf({ ...local, NODE_ADDRESS: '10.0.0.1:50056' }), /CLUSTER_TLS_CERT/)
    assert.equal(readConfig(local).shardCount, 16)
    assert.ok(readConfig({ ...local, NODE_ADDRESS: '[::1]:50056' }).cluster)
    assert.ok(readConfig({ ...env, CLUSTER_PLAINTEXT: 'true' }).cluster)
  })

  test('are not reported if minimum and maximum are equal', () => {
    const env = { MIN_ORDER_SHARES: '5', MAX_ORDER_SHARES: '5' }
    assert.equal(readConfig(env).rules.sharesMax, 500)
  })
})

describe('the table of settings', () => {
  test('has a row of four cells for every setting', () => {
    const rows = settingsTable().trimEnd().split('\n').slice(2)
    assert.equal(rows.length, settings.length)
    for (const [index, { name, fallback }] of settings.entries()) {
      assert.equal(rows[index]!.split('|').length, 6)
      assert.ok(rows[index]!.startsWith(`| \`${name}\` |`))
      assert.ok(fallback === null || rows[index]!.includes(`\`${fallback}\``))
    }
  })
})

test('docs/operating.md contains the table of settings', () => {
  const page = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')
  assert.ok(page.includes(settingsTable()))
})
