// The latest sequence and the history of the events, over replay and stream: a caller that sends
// the history is told when its position is of another one.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const otherHistory = '3f0a1e52-6a51-4c1e-9a58-1c2f0d7b9e66'

let dataDir: string
let service: Service
before(async () => {
  dataDir = await newFolder()
  service = await Service.start({ dataDir })
})
after(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true })
})

const subscribe = { op: 'subscribe', channels: ['events'] }

/** An operator with events, and what replay tells about them. */
async function withEvents(): Promise<{ operator: OperatorClient; page: Json }> {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  await operator.buy(market, { price: 0.1 })
  return { operator, page: await operator.get('/events') }
}

async function subscribed(operator: OperatorClient, more: object): Promise<Json> {
  const client = await StreamClient.open(service.url, { key: operator.key })
  try {
    return await client.request({ ...subscribe, ...more })
  } finally {
    await client.close()
  }
}

test('every page of a replay has the latest sequence of the operator', async () => {
  const { operator, page } = await withEvents()
  const latestSequence = page.events.length
  assert.ok(latestSequence > 2)
  assert.equal(page.latestSequence, latestSequence)
  assert.match(page.historyId, uuid)
  for (const query of ['?limit=1', '?eventType=SETTLEMENT_COMPLETED', '?since=2', '?since=77']) {
    const other = await operator.get(`/events${query}`)
    assert.deepEqual([other.latestSequence, other.historyId], [latestSequence, page.historyId])
  }
  const newcomer = await OperatorClient.create(service)
  const none = await newcomer.get('/events')
  assert.deepEqual([none.latestSequence, none.historyId], [0, page.historyId])
  await newcomer.createMarket()
  assert.equal((await newcomer.get('/events')).latestSequence, 1)
})

test('a subscription to events is answered with the latest sequence and the history', async () => {
  const { operator, page } = await withEvents()
  const { latestSequence, historyId } = page
  for (const since of [undefined, 0, 1, latestSequence]) {
    const answer = await subscribed(operator, { since })
    assert.equal(answer.type, 'subscribed')
    assert.deepEqual([answer.latestSequence, answer.historyId], [latestSequence, historyId])
    assert.equal(answer.earliestSequence, since === undefined ? undefined : 1)
  }
})

test('a position of the present history is accepted, up to the latest sequence', async () => {
  const { operator, page } = await withEvents()
  const { latestSequence, historyId } = page
  for (const since of [0, 1, latestSequence]) {
    const query = `?since=${since}&historyId=${historyId}`
    const next = await operator.get(`/events${query}`)
    assert.equal(next.events.length, latestSequence - since)
    assert.equal((await subscribed(operator, { since, historyId })).type, 'subscribed')
  }
  assert.equal((await subscribed(operator, { historyId })).type, 'subscribed')
  const upper = await operator.get(`/events?historyId=${historyId.toUpperCase()}`)
  assert.equal(upper.historyId, historyId)
})

test('another history, or a since beyond the latest, is EVENTS_REWOUND', async () => {
  const { operator, page } = await withEvents()
  const { latestSequence, historyId } = page
  const details = { latestSequence, historyId, earliestSequence: 1 }
  const beyond = latestSequence + 1
  for (const [position, message] of [
    [{ since: 1, historyId: otherHistory }, /historyId is .*, got 3f0a1e52/],
    [{ historyId: otherHistory }, /historyId is .*, got 3f0a1e52/],
    [{ since: beyond, historyId }, new RegExp(`latest sequence is .*, got since ${beyond};`)],
  ] as const) {
    const query = new URLSearchParams(
      Object.entries(position).map(([name, value]) => [name, String(value)]),
    )
    const answer = await operator.request('GET', `/events?${query}`)
    assert.equal(answer.status, 409)
    const { error } = answer.body
    assert.equal(error.code, 'EVENTS_REWOUND')
    assert.deepEqual(error.details, details)
    assert.match(error.message, message)
    assert.match(error.message, new RegExp(`continue after ${latestSequence}\\.$`))
    const refused = await subscribed(operator, position)
    assert.deepEqual([refused.type, refused.error], ['error', error])
  }
})

test('after a rejected subscription, the next one on the connection is accepted', async () => {
  const { operator, page } = await withEvents()
  const client = await StreamClient.open(service.url, { key: operator.key })
  const refused = await client.request({ ...subscribe, since: 0, historyId: otherHistory })
  assert.equal(refused.error.code, 'EVENTS_REWOUND')
  const { latestSequence: since, historyId } = refused.error.details
  assert.equal((await client.request({ ...subscribe, since, historyId })).type, 'subscribed')
  await operator.createMarket()
  const { event } = await client.until(({ type }) => type === 'event')
  assert.equal(event.sequence, page.latestSequence + 1)
  await client.close()
})

test('without historyId, a since beyond the latest gets an empty page', async () => {
  const { operator } = await withEvents()
  const page = await operator.get('/events?since=1000')
  assert.deepEqual([page.events, page.hasMore, page.lastSequence], [[], false, 1_000])
  assert.equal((await subscribed(operator, { since: 1_000 })).type, 'subscribed')
})

test('a malformed historyId is refused, and the message names the field', async () => {
  const { operator } = await withEvents()
  for (const historyId of ['', 'x', '1', otherHistory.slice(1), `${otherHistory}0`]) {
    const answer = await operator.request('GET', `/events?since=0&historyId=${historyId}`)
    assertRefused(answer, 'VALIDATION_ERROR', /^historyId: /)
    const { error } = await subscribed(operator, { since: 0, historyId })
    assert.equal(error.code, 'VALIDATION_ERROR')
    assert.match(error.message, /^historyId: /)
  }
  const { error } = await subscribed(operator, { historyId: 7 })
  assert.match(error.message, /^historyId: /)
})

test('a stream without since sends every event after its latest sequence', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  let isOver = false
  const placing = (async () => {
    while (!isOver) await operator.buy(market, { price: 0.1, shares: 1 })
  })()
  try {
    for (let round = 0; round < 20; round += 1) {
      const client = await StreamClient.open(service.url, { key: operator.key })
      const { latestSequence } = await client.request(subscribe)
      const { event } = await client.until(({ type }) => type === 'event')
      assert.equal(event.sequence, latestSequence + 1)
      await client.close()
    }
  } finally {
    isOver = true
    await placing
  }
})

test('restarts and kills keep the history', async () => {
  const { operator, page } = await withEvents()
  const { latestSequence: since, historyId } = page
  for (const end of ['stop', 'kill'] as const) {
    await service[end]()
    service = await Service.start({ dataDir })
    const again = new OperatorClient(service, operator)
    const next = await again.get(`/events?since=${since}&historyId=${historyId}`)
    assert.equal(next.historyId, historyId)
  }
})
