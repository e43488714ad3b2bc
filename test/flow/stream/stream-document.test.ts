// What the stream sends matches the AsyncAPI document, and the pages in docs/protocol show the
// same. UPDATE_DOCS=1 rewrites the pages.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { Ajv } from 'ajv'
import { eventTypes } from '../../../src/core/words.ts'
import { blockOf, fillBlocks, Stable } from '../../support/http/document-blocks.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

const pages = ['websocket.md', 'events.md'].map(
  (name) => new URL(`../../../docs/protocol/${name}`, import.meta.url).pathname,
)

let service: Service
let document: Json
let sent: Json[]
let received: Json[]

before(async () => {
  const program = new URL('../../support/stream/stream-process.ts', import.meta.url).pathname
  const env = { STREAM_SETTINGS: JSON.stringify({ heartbeatMs: 300 }) }
  service = await Service.start({ program, env })
  document = (await service.request('GET', '/asyncapi.json')).body
  const played = await play()
  sent = played.sent
  received = played.received
})
after(() => service.stop())

/** Everything happens that there is a message or an event for. */
async function play() {
  const operator = await OperatorClient.create(service)
  const client = await StreamClient.open(service.url)
  const received: Json[] = []
  let id = 0
  const send = async (message: object) => {
    id += 1
    received.push({ ...message, id: `${id}` })
    client.send({ ...message, id: `${id}` })
    return client.until((each) => each.id === `${id}`)
  }
  const market = await operator.marketWithHolders({ ann: 100 })
  await operator.sell(market, { price: 0.6, shares: 25 })
  const marketIds = [market.id]
  const outcomeIds = [market.outcomes[0].id]
  const channels = ['orderbook', 'prices', 'trades']
  await send({ op: 'subscribe', channels, marketIds, outcomeIds })
  await client.until(({ type }) => type === 'price')
  await send({ op: 'auth', apiKey: operator.key })
  await send({ op: 'subscribe', channels: ['events'], since: 0 })
  await operator.buy(market, { player: 'bob', price: 0.6, shares: 10 })
  const { order } = await operator.buy(market, { player: 'bob', price: 0.5, shares: 5 })
  await operator.patch(`/orders/${order.id}`, { price: 0.51 })
  await operator.cancel(order)
  await client.until(({ type, version }) => type === 'orderbook.update' && version === 5)
  await client.until(isFullHeartbeat)
  await send({ op: 'ping' })
  await send({ op: 'subscribe', channels: ['prices'], marketIds: [outcomeIds[0]] })
  await send({ op: 'unsubscribe', channels: ['orderbook', 'prices', 'trades'] })
  const extended = { tradingEndsAt: '2099-01-01T00:00:00Z', reason: 'Extra time' }
  await operator.act(market, 'trading-window', extended)
  await send({ op: 'deadMan', timeoutMs: 1_000, playerId: 'dave' })
  await client.until(({ event }) => event?.eventType === 'DEAD_MAN_TRIGGERED')
  const group = await operator.post('/order-groups', { playerId: 'ann', limitShares: 5 })
  await operator.post(`/order-groups/${group.id}/trigger`, {})
  const limits = { maxOrderCost: 50, maxOutcomeShares: null }
  const brake = { mode: 'REDUCE_ONLY', reason: 'Too fast', until: '2099-01-01T00:00:00Z', limits }
  await operator.put('/players/ann/controls', brake)
  await operator.finish(market)
  await client.until(({ event }) => event?.eventType === 'SETTLEMENT_COMPLETED')
  await client.close()
  return { sent: client.messages, received }
}

/** One with the book as it is in the end, whenever the first one came. */
function isFullHeartbeat({ type, books }: Json): boolean {
  return type === 'heartbeat' && books.some(({ version }: Json) => version === 5)
}

function checker() {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  return (name: string, value: unknown) => {
    const validate = ajv.getSchema(`document#/components/schemas/${name}`)!
    assert.ok(validate(value), `${name}: ${ajv.errorsText(validate.errors)}\n${shown(value)}`)
  }
}

const shown = (value: unknown) => JSON.stringify(value)

/** The name of the schema of a message, by its type or op. */
function nameOf(message: Json): string {
  const { schemas } = document.components
  const field = message.op === undefined ? 'type' : 'op'
  const name = Object.keys(schemas).find((each) => {
    return schemas[each].properties[field]?.const === message[field]
  })
  assert.ok(name !== undefined, `${message[field]} is not in the document`)
  return name
}

test('every sent message matches the document, and every type was sent', () => {
  const check = checker()
  for (const message of [...received, ...sent]) check(nameOf(message), message)
  const names = new Set([...received, ...sent].map(nameOf))
  assert.deepEqual([...names].sort(), Object.keys(document.components.messages).sort())
})

test('every event matches the schema of its type, and every type was sent', () => {
  const check = checker()
  const events = sent.filter(({ type }) => type === 'event').map(({ event }) => event)
  assert.deepEqual(new Set(events.map(({ eventType }) => eventType)), new Set(eventTypes))
  for (const { eventType, payload } of events) {
    check(eventType, payload)
    const { properties } = document.components.schemas[eventType]
    assert.deepEqual(Object.keys(payload).sort(), Object.keys(properties).sort(), eventType)
  }
})

test('every reference in the document resolves', () => {
  assert.equal(document.asyncapi, '3.0.0')
  for (const [, ref = ''] of shown(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = ref.split('/').reduce((value: Json, part) => value?.[part], document)
    assert.ok(target !== undefined, ref)
  }
})

test('the pages show the fields of the document and the messages of a real run', async () => {
  const stable = new Stable(Date.UTC(2026, 10, 15, 12))
  const blocks = new Map<string, string>()
  const { schemas } = document.components
  const isShown = (message: Json) => message.type !== 'heartbeat' || isFullHeartbeat(message)
  for (const message of [...received, ...sent].filter(isShown)) {
    const name = nameOf(message)
    const value = stable.of(message)
    if (!blocks.has(name)) blocks.set(name, blockOf(schemas[name], value))
    if (name !== 'EventMessage') continue
    const { eventType, payload } = message.event
    if (!blocks.has('Event')) blocks.set('Event', blockOf(schemas.Event, stable.of(message.event)))
    if (blocks.has(eventType)) continue
    blocks.set(eventType, blockOf(schemas[eventType], stable.of(payload)))
  }
  const marks: string[] = []
  for (const page of pages) {
    const text = await readFile(page, 'utf8')
    const { filled, names } = fillBlocks(text, blocks)
    marks.push(...names)
    if (process.env.UPDATE_DOCS === '1') await writeFile(page, filled)
    else assert.equal(text, filled, `${page} is out of date: run with UPDATE_DOCS=1`)
  }
  assert.deepEqual(marks.sort(), [...blocks.keys()].sort(), 'every block has its place')
})
