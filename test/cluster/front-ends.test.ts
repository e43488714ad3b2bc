// FRONT_ENDS: several processes serve the clients of one engine.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { StreamFollower } from '../support/cluster/stream-follower.ts'
import { OperatorClient, orderBody } from '../support/http/operator-client.ts'
import {
  adminKey,
  failedStart,
  type Json,
  newFolder,
  Service,
} from '../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { until } from '../support/webhooks/receiver.ts'

const server = await postgresOrNot('front ends on PostgreSQL', quick)
after(() => server?.stop())
// Processes are found in /proc.
const options = { skip: process.platform !== 'linux' }
const frontEnds = { FRONT_ENDS: '2' }
const ordersPerSecond = 200
const requestMsMax = 10_000

/** Of a service on a new database. */
const stores: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  SQLite: async () => frontEnds,
  ...(server && {
    PostgreSQL: async () => ({ ...frontEnds, DATABASE_URL: (await server.newDatabase()).url }),
  }),
}

/** One connection, which stays with one front end. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  request(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    return new Promise<{ status: number; body: Json }>((resolve, reject) => {
      const sent = request(
        this.#url + path,
        {
          method,
          agent: this.#agent,
          headers:
            body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part) => {
            text += part
          })
          response.on('error', reject)
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }),
          )
        },
      )
      sent.setTimeout(requestMsMax, () => sent.destroy(new Error('no answer in time')))
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((child) => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false
      }
    })
}

/** Two connections to two front ends: the system decides which of them accepts a connection. */
async function connectToBoth({
  process: primary,
  url,
}: Service): Promise<[Connection, Connection]> {
  const [frozen, other] = childrenOf(primary.pid!)
  assert.ok(frozen !== undefined && other !== undefined, 'there are two front ends')
  const all = Array.from({ length: 16 }, () => new Connection(url))
  await Promise.all(all.map((each) => each.request('GET', '/health', {})))
  const answered = new Set<Connection>()
  process.kill(frozen, 'SIGSTOP')
  try {
    const asked = all.map(async (each) => {
      await each.request('GET', '/health', {})
      answered.add(each)
    })
    await Promise.race(asked)
    await setTimeout(answerMs)
  } finally {
    process.kill(frozen, 'SIGCONT')
  }
  const one = all.find((each) => answered.has(each))
  const another = all.find((each) => !answered.has(each))
  assert.ok(one !== undefined && another !== undefined, 'each front end has a connection')
  for (const each of all) if (each !== one && each !== another) each.close()
  return [one, another]
}

const answerMs = 300

for (const [store, newEnv] of Object.entries(stores))
  suite(`two front ends on ${store}`, options, () => {
    let service: Service
    let operator: OperatorClient
    let two: readonly [Connection, Connection]

    before(async () => {
      service = await Service.start({
        env: { ...(await newEnv()), RATE_LIMIT_ORDERS: String(ordersPerSecond) },
      })
      operator = await OperatorClient.create(service)
      two = await connectToBoth(service)
      const isReady = async (each: Connection) =>
        (await each.request('GET', '/ready', {})).status === 200
      for (const each of two) await until(() => isReady(each))
    })
    after(async () => {
      for (const each of two) each.close()
      await service.stop()
    })

    test('note acts that the other shows at once, with their key and request', async () => {
      const { id } = await operator.createMarket()
      for (const [round, action] of ['open', 'suspend', 'resume', 'close'].entries()) {
        const [asked, other] = round % 2 === 0 ? two : [two[1], two[0]]
        const requestId = `act-${round}`
        const headers = { 'x-api-key': operator.key, 'x-request-id': requestId }
        const body = action === 'suspend' ? { reason: 'pause' } : {}
        const done = await asked.request('POST', `/api/v1/markets/${id}/${action}`, headers, body)
        assert.equal(done.status, 200)
        const path = `/api/v1/audit?targetId=${id}&limit=1`
        const [entry] = (await other.request('GET', path, headers)).body.data.entries
        assert.deepEqual(
          [entry.action, entry.requestId, entry.reason, entry.outcome],
          [`${action}Market`, requestId, body.reason ?? null, 'DONE'],
        )
        assert.equal(typeof entry.keyId, 'string')
      }
    })

    test('show when a key was used at the other', async () => {
      const path = `/api/v1/admin/operators/${operator.id}/keys`
      for (const [asked, other] of [two, two.toReversed()] as const) {
        const { apiKey, key } = (await service.admin('POST', path, { label: 'new' })).body.data
        await asked.request('GET', '/api/v1/me', { 'x-api-key': apiKey })
        await until(async () => {
          const { data } = (await other.request('GET', path, { 'x-admin-key': adminKey })).body
          return data.find(({ id }: Json) => id === key.id).lastUsedAt >= key.createdAt
        }, 60_000)
      }
    })

    test('trade with each other, and read at once what the other has answered', async () => {
      const market = await operator.marketWithHolders({ alice: 1_000 })
      const headers = { 'x-api-key': operator.key }
      const path = '/api/v1/orders'
      for (let round = 0; round < 20; round += 1) {
        const [seller, buyer] = round % 2 === 0 ? two : [two[1], two[0]]
        const sell = orderBody(market, 'SELL', { player: 'alice', price: 0.5, shares: 2 })
        const placed = await seller.request('POST', path, headers, sell)
        assert.equal(placed.status, 201)
        const { id } = placed.body.data.order
        const read = () => buyer.request('GET', `${path}/${id}`, headers)
        assert.equal((await read()).body.data.status, 'PENDING')
        const buy = orderBody(market, 'BUY', { player: 'bob', price: 0.5, shares: 2 })
        const bought = await buyer.request('POST', path, headers, buy)
        assert.equal(bought.body.data.trades.length, 1)
        const sold = await seller.request('GET', `${path}/${id}`, headers)
        assert.equal(sold.body.data.status, 'FILLED')
        const open = await seller.request('GET', `${path}?status=PENDING`, headers)
        assert.equal(open.body.data.total, 0)
      }
    })

    test('send one historyId, and none is behind a sequence that another has sent', async () => {
      const market = await operator.openMarket()
      const headers = { 'x-api-key': operator.key }
      const order = orderBody(market, 'BUY', { price: 0.1, shares: 1 })
      const histories = new Set<string>()
      for (let round = 0; round < 20; round += 1) {
        const [one, other] = round % 2 === 0 ? two : [two[1], two[0]]
        const placed = await one.request('POST', '/api/v1/orders', headers, order)
        assert.equal(placed.status, 201)
        const { data } = (await one.request('GET', '/api/v1/events?limit=1', headers)).body
        const position = `since=${data.latestSequence}&historyId=${data.historyId}`
        const page = await other.request('GET', `/api/v1/events?${position}`, headers)
        assert.equal(page.status, 200, JSON.stringify(page.body))
        histories.add(data.historyId).add(page.body.data.historyId)
      }
      assert.equal(histories.size, 1)
    })

    test('refuse a key, each of them, as soon as its revocation is answered', async () => {
      const admin = { 'x-admin-key': adminKey }
      const keys = `/api/v1/admin/operators/${operator.id}/keys`
      for (let round = 0; round < 10; round += 1) {
        const [one, other] = round % 2 === 0 ? two : [two[1], two[0]]
        const made = await one.request('POST', keys, admin, { scopes: ['read'] })
        assert.equal(made.status, 201)
        const { apiKey, key } = made.body.data
        const read = (by: Connection) =>
          by.request('GET', '/api/v1/markets', { 'x-api-key': apiKey })
        assert.equal((await read(other)).status, 200, 'a new key is known everywhere')
        assert.equal((await one.request('DELETE', `${keys}/${key.id}`, admin)).status, 200)
        assert.equal((await read(other)).status, 401)
        assert.equal((await read(one)).status, 401)
      }
    })

    test('publish to the streams of each what the other has committed', async () => {
      const market = await operator.marketWithHolders({ alice: 1_000 })
      const followers = Array.from({ length: 8 }, () => new StreamFollower(operator, market))
      for (const follower of followers) await follower.follow(service)
      const headers = { 'x-api-key': operator.key }
      for (const [at, by] of [...two, ...two, ...two].entries()) {
        const order =
          at % 3 === 2
            ? orderBody(market, 'BUY', { player: 'bob', price: 0.5, shares: 3 })
            : orderBody(market, 'SELL', { player: 'alice', price: 0.5, shares: 2 })
        assert.equal((await by.request('POST', '/api/v1/orders', headers, order)).status, 201)
      }
      for (const follower of followers) {
        await follower.assertWhole()
        await follower.close()
      }
    })

    test('answer with the metrics of all processes', async () => {
      const total = async (by: Connection) => {
        const { body } = await by.request('GET', '/api/v1/orders?limit=1', {
          'x-api-key': operator.key,
        })
        return body.data.total as number
      }
      const orders = await total(two[0])
      assert.ok(orders > 0)
      const text = async () => (await fetch(`${service.url}/metrics`)).text()
      const count = async () => Number(/^outcry_orders_total (\d+)$/m.exec(await text())?.[1])
      assert.equal(await count(), orders, 'the engine has counted them')
      const processes = [...(await text()).matchAll(/resident_memory_bytes\{process="([^"]+)"\}/g)]
      assert.deepEqual(processes.map(([, name]) => name).toSorted(), [
        'engine',
        'front-1',
        'front-2',
      ])
    })

    test('share the rate limit of an operator', async () => {
      const other = await OperatorClient.create(service)
      const market = await other.openMarket()
      const order = orderBody(market, 'BUY', { price: 0.1 })
      const headers = { 'x-api-key': other.key }
      const all = Array.from({ length: 16 }, () => new Connection(service.url))
      let accepted = 0
      const begun = performance.now()
      const send = async (by: Connection) => {
        while (performance.now() - begun < 2_000) {
          const answer = await by.request('POST', '/api/v1/orders', headers, order)
          if (answer.status === 201) accepted += 1
        }
      }
      await Promise.all(all.map(send))
      for (const each of all) each.close()
      const seconds = (performance.now() - begun) / 1_000
      // A full bucket at the start, and what two processes overdraw before they exchange it.
      assert.ok(accepted <= ordersPerSecond * (seconds + 1) * 1.2, `${accepted} were accepted`)
      assert.ok(accepted >= ordersPerSecond, `only ${accepted} were accepted`)
    })

    test('go on when one of them is killed, which is started again', async () => {
      const before = childrenOf(service.process.pid!)
      process.kill(before[0]!, 'SIGKILL')
      await until(() => !isRunning(before[0]!))
      for (let round = 0; round < 20; round += 1) {
        const connection = new Connection(service.url)
        const answer = await connection.request('GET', '/health', {})
        connection.close()
        assert.equal(answer.status, 200)
      }
      const isReplaced = () => {
        const children = childrenOf(service.process.pid!)
        return children.length === 2 && !children.includes(before[0]!)
      }
      await until(isReplaced, 30_000)
      const metrics = async () => (await fetch(`${service.url}/metrics`)).text()
      const answersAgain = async () =>
        (await metrics()).split('resident_memory_bytes{').length === 4
      await until(answersAgain, 30_000)
    })
  })

test(
  'front ends end with their primary, and the next start has every answered order',
  options,
  async () => {
    const dataDir = await newFolder()
    const first = await Service.start({ dataDir, env: frontEnds })
    const operator = await OperatorClient.create(first)
    const market = await operator.openMarket()
    const placed: string[] = []
    for (let count = 0; count < 10; count += 1) {
      placed.push((await operator.buy(market, { price: 0.1 })).order.id)
    }
    const children = childrenOf(first.process.pid!)
    assert.equal(children.length, 2)
    await first.kill()
    await until(() => children.every((pid) => !isRunning(pid)), 30_000)
    const second = await Service.start({ dataDir, env: frontEnds })
    try {
      const again = new OperatorClient(second, operator)
      for (const id of placed) assert.equal((await again.get(`/orders/${id}`)).status, 'PENDING')
    } finally {
      await second.stop()
    }
  },
)

test(
  'SIGTERM to the primary answers what was sent before it, and ends with 0',
  options,
  async () => {
    const dataDir = await newFolder()
    const service = await Service.start({ dataDir, env: frontEnds })
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const order = orderBody(market, 'BUY', { price: 0.1 })
    const first = Array.from({ length: 20 }, () => operator.request('POST', '/orders', order))
    for (const { status } of await Promise.all(first)) assert.equal(status, 201)
    const placing = Array.from({ length: 200 }, () => operator.request('POST', '/orders', order))
    await placing[0]
    const stopping = service.stop()
    const ended = await Promise.allSettled(placing)
    assert.equal(await stopping, 0)
    const statuses = ended.flatMap((each) =>
      each.status === 'fulfilled' ? [each.value.status] : [],
    )
    assert.ok(
      statuses.every((status) => status === 201 || status === 503),
      statuses.join(),
    )
    assert.ok(statuses.includes(201))
    const again = await Service.start({ dataDir })
    try {
      const { total } = await new OperatorClient(again, operator).get('/orders?limit=1')
      const known = statuses.filter((status) => status === 201).length + 20
      assert.ok(total >= known, `${total} of ${known} are stored`)
    } finally {
      await again.stop()
    }
  },
)

test('a port that is in use stops the start with one line', options, async () => {
  const one = await Service.start()
  try {
    const { code, printed } = await failedStart({
      env: { ...frontEnds, PORT: new URL(one.url).port },
    })
    assert.equal(code, 69)
    assert.equal(
      printed
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('{')).length,
      1,
    )
    assert.match(printed, /PORT/)
  } finally {
    await one.stop()
  }
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
