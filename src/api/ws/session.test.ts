// A failure of the service on one connection ends that connection at most.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { keyWith, testOperator, testServer } from '../../../test/support/http/rest-server.ts'
import { StreamClient } from '../../../test/support/stream/stream-client.ts'
import { Ids } from '../../core/ids.ts'
import type { Submit } from '../../engine/commands.ts'
import { Outbox } from '../../feed/outbox.ts'
import type { EventPage, EventQuery, EventRecordRow, RecordStore } from '../../store/store.ts'
import { ClientAddresses } from '../admission/client-address.ts'
import { type ShardAccess, Shards } from '../shards.ts'
import { type StreamContext, usualSettings } from './context.ts'
import { encodersOf } from './encode.ts'
import { StreamServer } from './server.ts'

/** Of a bucket without a token. */
const spent = {
  isAllowed: false,
  name: 'cancels',
  policy: '',
  limit: 1,
  remaining: 0,
  resetSeconds: 1,
  retrySeconds: 1,
}

/** Every part of it that a message needs can be made to fail. */
async function streaming() {
  const failures: string[] = []
  const fails = {
    clock: false,
    keys: false,
    engine: false,
    report: false,
    touch: false,
    rate: false,
  }
  const failIf = (isFailing: boolean) => {
    if (isFailing) throw new TypeError('a bug')
  }
  const ids = new Ids({ shard: 0, key: [1, 2] })
  const reportFailure: StreamContext['reportFailure'] = (edge, event) => {
    const isFailing = fails.report
    // Once: the session reports that as well.
    fails.report = false
    failIf(isFailing)
    failures.push(`${edge}: ${event}`)
  }
  const prices: { readonly marketId: string; readonly outcomeId: string }[] = []
  const submit: Submit = async () => {
    failIf(fails.engine)
    if (prices.length > 0) return { isAccepted: true, answer: prices as never }
    return { isAccepted: false, reject: { code: 'MARKET_NOT_FOUND' } }
  }
  const stored: EventRecordRow[] = []
  const outbox = new Outbox(encodersOf(1_000), reportFailure)
  // Nothing else of it is used here.
  const reads = { events: async ({ since }: EventQuery) => pageAfter(stored, since) }
  const shard = { ids, submit, reads: reads as Partial<RecordStore> } as ShardAccess
  const stream = new StreamServer({
    shards: new Shards([shard]),
    admission: {
      authenticate: () => {
        failIf(fails.keys)
        return { operator: testOperator, key: keyWith(['read', 'trade']) }
      },
      get isInTouch() {
        return !fails.touch
      },
      consume: (bucket) => (fails.rate && bucket === 'cancels' ? spent : null),
      consumeMore: () => null,
    },
    addresses: new ClientAddresses([]),
    registry: { keys: { list: () => [keyWith(['read'])] }, operators: { get: () => testOperator } },
    outbox,
    now: () => {
      const isFailing = fails.clock
      // Once: the clock is read for every session.
      fails.clock = false
      failIf(isFailing)
      return Date.now()
    },
    eventRetentionMs: 1_000,
    log: { warn: () => undefined },
    reportFailure,
    settings: { ...usualSettings, heartbeatMs: 50 },
  })
  const app = testServer()
  stream.attach(app)
  after(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, fails, failures, outbox, stored, prices }
}

function pageAfter(stored: readonly EventRecordRow[], since: number): EventPage {
  const rows = stored.filter(({ lastSequence }) => lastSequence > since)
  const ends = { earliestSequence: 1, lastSequence: stored.length }
  return { rows, hasMore: false, ...ends, historyId: 'h' }
}

const subscribe = {
  op: 'subscribe',
  channels: ['orderbook'],
  marketIds: ['01a1e000-0000-7000-8000-000000000001'],
}

test('a message that fails is answered with INTERNAL_ERROR', async () => {
  const { url, fails, failures } = await streaming()
  const client = await StreamClient.open(url)
  fails.engine = true
  assert.equal((await client.request(subscribe)).error.code, 'INTERNAL_ERROR')
  assert.deepEqual(failures, ['stream: message failed'])
  fails.engine = false
  assert.equal((await client.request(subscribe)).error.code, 'MARKET_NOT_FOUND')
  await client.close()
})

test('a session that fails is closed with 1011, and the others stay open', async () => {
  const { url, fails, failures } = await streaming()
  const clients = [await StreamClient.open(url), await StreamClient.open(url)]
  // The next heartbeat needs the time.
  fails.clock = true
  const { code } = await Promise.race(clients.map(({ closed }) => closed))
  assert.equal(code, 1011)
  assert.deepEqual(failures, ['stream: session failed'])
  const [staying, ...others] = clients.filter(({ isOpen }) => isOpen)
  assert.deepEqual(others, [])
  assert.equal((await staying!.request({ op: 'ping' })).type, 'pong')
  await staying!.close()
})

test('a failure while a message is refused closes its session', async () => {
  const { url, fails, failures } = await streaming()
  const client = await StreamClient.open(url)
  fails.engine = true
  fails.report = true
  client.send(subscribe)
  assert.equal((await client.closed).code, 1011)
  assert.deepEqual(failures, ['stream: session failed'])
})

test('an upgrade that fails is reported and disconnected', async () => {
  const { url, fails, failures } = await streaming()
  fails.keys = true
  await assert.rejects(StreamClient.open(url, { key: 'k' }))
  assert.deepEqual(failures, ['stream: upgrade failed'])
  const client = await StreamClient.open(url)
  assert.equal((await client.request({ op: 'ping' })).type, 'pong')
  await client.close()
})

test('arming a dead-man switch takes a token of the cancels of its operator', async () => {
  const { url, fails } = await streaming()
  const client = await StreamClient.open(url, { key: 'k' })
  const arm = { op: 'deadMan', timeoutMs: 1_000 }
  fails.rate = true
  assert.equal((await client.request(arm)).error.code, 'RATE_LIMITED')
  fails.rate = false
  assert.equal((await client.request(arm)).error.code, 'MARKET_NOT_FOUND', 'as the engine says')
  await client.close()
})

test('a node that loses touch closes the connections with a key, and no others', async () => {
  const { url, fails } = await streaming()
  const client = await StreamClient.open(url)
  const keyed = await StreamClient.open(url, { key: 'k' })
  const authenticated = await StreamClient.open(url)
  await authenticated.request({ op: 'auth', apiKey: 'k' })
  assert.equal((await keyed.request({ op: 'ping' })).type, 'pong')
  fails.touch = true
  assert.equal((await keyed.closed).code, 1013)
  assert.equal((await authenticated.closed).code, 1013)
  assert.equal((await client.request({ op: 'ping' })).type, 'pong')
  await client.close()
})

test('live events that a node has missed are read from the store', async () => {
  const { url, outbox, stored } = await streaming()
  const tape = { lastSerial: async () => 0, since: async () => [] }
  const remote = { begin: () => undefined, end: () => undefined, isInForce: () => true }
  outbox.setRemote({ ...remote, tape })
  const about = { createdAt: 0, marketSerial: serial(1), marketCreatedAt: 0, types: 2 }
  const store = () => {
    const sequence = stored.length + 1
    const body = JSON.stringify([1, null, 0, 2, null])
    stored.push({ firstSequence: sequence, lastSequence: sequence, ...about, body })
  }
  store()
  const client = await StreamClient.open(url, { key: 'k' })
  await client.request({ op: 'subscribe', channels: ['events'] })
  store()
  outbox.resync(0)
  await client.until(({ type }) => type === 'event')
  assert.deepEqual(
    client.ofType('event').map(({ event }) => event.sequence),
    [2],
  )
  await client.close()
})

test('a node answers a subscription to trades once it knows where they begin', async () => {
  const { url, outbox, prices } = await streaming()
  const [marketId] = subscribe.marketIds
  prices.push({ marketId: marketId!, outcomeId: marketId!.replace(/1$/, '2') })
  const read = Promise.withResolvers<number>()
  const asked = Promise.withResolvers<void>()
  const lastSerial = () => {
    asked.resolve()
    return read.promise
  }
  const tape = { lastSerial, since: async () => [] }
  const remote = { begin: () => undefined, end: () => undefined, isInForce: () => true }
  outbox.setRemote({ ...remote, tape })
  const client = await StreamClient.open(url)
  const answer = client.request({ ...subscribe, channels: ['trades'] })
  await asked.promise
  // Another connection is answered meanwhile.
  const other = await StreamClient.open(url)
  assert.equal((await other.request({ op: 'ping' })).type, 'pong')
  assert.deepEqual(client.ofType('subscribed'), [])
  read.resolve(7)
  assert.equal((await answer).type, 'subscribed')
  await Promise.all([client.close(), other.close()])
})
