// A service starts with a clock that is behind the time of the stored records: time goes on at half
// pace, or the start is refused. On PostgreSQL a refused service acquires nothing.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../support/http/answers.ts'
import { OperatorClient, type Placing } from '../../support/http/operator-client.ts'
import { clockAt } from '../../support/process/clock-at.ts'
import { failedStart, type Json, newFolder, Service } from '../../support/process/outcry-process.ts'
import { postgresOrNot, query, quick } from '../../support/store/postgres-databases.ts'

const minuteMs = 60_000
const yearMs = 365 * 24 * 60 * minuteMs
const secretsKey = '0'.repeat(64)

const server = await postgresOrNot('a clock that is behind, on PostgreSQL', quick)

type Env = Readonly<Record<string, string>>
type Left = {
  readonly dataDir: string
  readonly operator: OperatorClient
  readonly market: Json
  /** The last order before the stop; it rests without an expiry. */
  readonly order: Json
}

/** Trades with a clock that is ahead, and stops. */
async function writeAhead(dataDir: string, aheadMs: number, env: Env = {}): Promise<Left> {
  const clock = clockAt(Date.now() + aheadMs)
  const service = await Service.start({ dataDir, env: { ...env, ...clock } })
  try {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const { order } = await operator.buy(market)
    return { dataDir, operator, market, order }
  } finally {
    await service.stop()
  }
}

async function withFolder(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await newFolder()
  try {
    await work(dataDir)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function withService(
  options: { readonly dataDir: string; readonly env?: Env },
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await Service.start(options)
  try {
    await work(service)
  } finally {
    await service.kill()
  }
}

/** An order, and between which times by the test's steady clock it was placed. */
async function timedOrder(operator: OperatorClient, market: Json, more: Placing = {}) {
  const from = performance.now()
  const { order } = await operator.buy(market, more)
  return { order, createdAt: Date.parse(order.createdAt), from, to: performance.now() }
}

async function behindMsOf(service: Service): Promise<number> {
  return (await service.request('GET', '/ready')).body.data.clockBehindMs
}

async function behindSecondsOf(service: Service): Promise<number> {
  const { body } = await service.request('GET', '/metrics')
  return Number(/^outcry_clock_behind_seconds (\S+)$/m.exec(body)?.[1])
}

async function assertHalfPace(operator: OperatorClient, left: Left): Promise<void> {
  const first = await timedOrder(operator, left.market)
  assert.ok(first.createdAt >= Date.parse(left.order.createdAt), 'time went back')
  const expiresAt = first.createdAt + 1_000
  const expiring = await timedOrder(operator, left.market, {
    expiresAt: new Date(expiresAt).toISOString(),
  })
  await pause(1_000)
  const second = await timedOrder(operator, left.market)
  const passed = second.createdAt - first.createdAt
  const bounds = [(second.from - first.to) / 2 - 1, (second.to - first.from) / 2 + 1]
  assert.ok(bounds[0]! <= passed && passed <= bounds[1]!, `${passed} ms, not in ${bounds}`)
  const path = `/orders/${expiring.order.id}`
  const { updatedAt } = await until(
    () => operator.get(path),
    ({ status }: Json) => status === 'EXPIRED',
  )
  assert.ok(performance.now() - first.from >= 2_000, 'the order expired too early')
  assert.ok(Date.parse(updatedAt) >= expiresAt)
}

test('a clock four minutes behind is reported, and time goes on at half pace', async () => {
  await withFolder(async (dataDir) => {
    const left = await writeAhead(dataDir, 4 * minuteMs)
    await withService({ dataDir }, async (service) => {
      assert.match(service.printed(), /"level":"error".*"behindMs":2[34]\d{4},.*clock is behind/)
      const behindMs = await behindMsOf(service)
      assert.ok(behindMs > 3 * minuteMs && behindMs <= 4 * minuteMs, `${behindMs} ms behind`)
      await assertHalfPace(new OperatorClient(service, left.operator), left)
      const nextMs = await behindMsOf(service)
      assert.ok(nextMs < behindMs - 500, `${nextMs} ms behind after ${behindMs}`)
      assert.ok(Math.abs((await behindSecondsOf(service)) - nextMs / 1_000) < 2)
    })
  })
})

test('rate limits refill at full pace while time passes at half pace', async () => {
  await withFolder(async (dataDir) => {
    await writeAhead(dataDir, 4 * minuteMs)
    await withService({ dataDir, env: { RATE_LIMIT_PUBLIC: '40' } }, async (service) => {
      const path = '/api/v1/categories/x'
      const remaining = async () =>
        Number((await service.request('GET', path)).headers.get('ratelimit-remaining'))
      await Promise.all(Array.from({ length: 200 }, remaining))
      await pause(1_100)
      assert.equal(await remaining(), 39, 'the bucket is full after a second')
    })
  })
})

test('a clock that is not behind shows 0 and logs nothing about it', async () => {
  await withFolder(async (dataDir) => {
    await writeAhead(dataDir, -minuteMs)
    await withService({ dataDir }, async (service) => {
      assert.equal(await behindMsOf(service), 0)
      assert.equal(await behindSecondsOf(service), 0)
      assert.doesNotMatch(service.printed(), /clock/)
    })
  })
})

test('a clock a year behind stops the start with 78 and one line, unless accepted', async () => {
  await withFolder(async (dataDir) => {
    const left = await writeAhead(dataDir, yearMs)
    const { code, printed } = await failedStart({ dataDir })
    assert.equal(code, 78, printed)
    assert.match(printed, /^The system clock \(.*\) is 3153\d{4} seconds behind .*\n$/)
    assert.match(printed, /set ACCEPT_CLOCK_BEHIND=true/)
    const env = { ACCEPT_CLOCK_BEHIND: 'true' }
    await withService({ dataDir, env }, async (service) => {
      const behindMs = await behindMsOf(service)
      assert.ok(behindMs > yearMs - minuteMs, `${behindMs} ms behind`)
      await assertHalfPace(new OperatorClient(service, left.operator), left)
    })
  })
})

if (server !== null) {
  after(() => server.stop())

  test('on PostgreSQL a service far behind takes nothing over, unless accepted', async () => {
    const { url } = await server.newDatabase()
    const env = { DATABASE_URL: url, OUTCRY_SECRETS_KEY: secretsKey }
    const shard = () =>
      query(url, 'SELECT owner, epoch, lease_until::text, now FROM outcry_shard_0.head')
    await withFolder(async (dataDir) => {
      const clock = clockAt(Date.now() + 10 * minuteMs)
      await withService({ dataDir, env: { ...env, ...clock } }, async (ahead) => {
        const operator = await OperatorClient.create(ahead)
        const market = await operator.openMarket()
        const beside = await failedStart({ env })
        assert.deepEqual([beside.code, beside.printed.split('\n').length], [78, 2], beside.printed)
        assert.equal((await operator.tryOrder(market, 'BUY')).status, 201)
        await ahead.kill()
        const before = await shard()
        const late = await failedStart({ env })
        assert.equal(late.code, 78, late.printed)
        assert.deepEqual(await shard(), before)
        const accepted = { ...env, ACCEPT_CLOCK_BEHIND: 'true' }
        const second = await Service.start({ env: accepted })
        try {
          assert.ok((await behindMsOf(second)) > 5 * minuteMs)
          const { order } = await new OperatorClient(second, operator).buy(market)
          assert.ok(Date.parse(order.createdAt) >= Number(before[0]?.now), 'time went back')
        } finally {
          await second.stop()
        }
      })
    })
  })
}
