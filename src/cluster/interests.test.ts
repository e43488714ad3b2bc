// Interests reach the owner of the shard, whichever node and link that is, and listeners catch up
// whenever turns may have been missed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublishedTurn } from '../core/events/committed-turn.ts'
import type { Serial } from '../core/ids.ts'
import { InterestedNodes, interestsMax } from './interested-nodes.ts'
import { Interests, lingerMs } from './interests.ts'
import type { Interest, TurnMessage } from './link/messages.ts'
import { RouteTable } from './routes.ts'
import { encodeTurn } from './turn-codec.ts'

const market: Interest = { shard: 3, kind: 'market', id: 'market' }

const trade = {
  serial: 1 as Serial,
  marketId: 'market',
  outcomeId: 'outcome',
  price: 5_000,
  shares: 100,
  isSellIncoming: false,
  createdAt: 0,
}

/** A node with links to a and b; what happens is noted in order. */
function nodeWithLinks() {
  const happened: string[] = []
  const routes = new RouteTable()
  const sourceOf = (id: string) => ({
    isConnected: true,
    sendInterest: (interest: Interest) => happened.push(`${interest.id} to ${id}`),
    sendDisinterest: (interest: Interest) => happened.push(`${interest.id} ends at ${id}`),
    sync: async () => true,
  })
  const sources = new Map(['a', 'b'].map((id) => [id, sourceOf(id)]))
  const interests = new Interests({
    routes,
    isLocal: () => false,
    source: (id) => sources.get(id),
    receiver: {
      deliverRemote: (_shard, { trades }: PublishedTurn) =>
        happened.push(`trades ${trades.length}`),
      onMissing: (shard) => happened.push(`missing ${shard}`),
      resync: (shard) => happened.push(`resync ${shard}`),
      onInForce: ({ id }) => happened.push(`${id} in force`),
    },
  })
  /** Returns what has happened since the last call. */
  const next = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return happened.splice(0)
  }
  return { interests, routes, next }
}

test('listeners hear when an interest is in force', async () => {
  const { interests, routes, next } = nodeWithLinks()
  routes.setOwner(3, { nodeId: 'a', epoch: 1 })
  interests.begin(market)
  assert.equal(interests.isInForce(market), false)
  assert.deepEqual(await next(), ['market to a', 'market in force'])
  assert.equal(interests.isInForce(market), true)
})

test('listeners hear that turns may be missing, from a link to the next', async () => {
  const { interests, routes, next } = nodeWithLinks()
  routes.setOwner(3, { nodeId: 'a', epoch: 1 })
  interests.begin(market)
  await next()
  interests.onDisconnected('b')
  assert.deepEqual(await next(), [])
  interests.onDisconnected('a')
  assert.equal(interests.isInForce(market), false)
  assert.deepEqual(await next(), ['missing 3'])
  interests.onConnected('a')
  assert.equal(interests.isInForce(market), false)
  assert.deepEqual(await next(), ['missing 3', 'market to a', 'resync 3'])
  assert.equal(interests.isInForce(market), true)
})

test('an owner that is no longer one brings nothing in force', async () => {
  const { interests, routes, next } = nodeWithLinks()
  routes.setOwner(3, { nodeId: 'a', epoch: 1 })
  interests.begin(market)
  routes.setOwner(3, { nodeId: 'b', epoch: 2 })
  const sent = ['market to a', 'missing 3', 'market to b']
  assert.deepEqual(await next(), [...sent, 'resync 3'])
})

test('a new owner and a new link get the interests, and listeners catch up', async () => {
  const { interests, routes, next } = nodeWithLinks()
  interests.begin(market)
  assert.deepEqual(await next(), [])
  routes.setOwner(3, { nodeId: 'a', epoch: 1 })
  assert.deepEqual(await next(), ['missing 3', 'market to a', 'resync 3'])
  interests.onConnected('a')
  interests.onConnected('b')
  assert.deepEqual(await next(), ['missing 3', 'market to a', 'resync 3'])
  routes.setOwner(3, { nodeId: 'b', epoch: 2 })
  assert.deepEqual(await next(), ['missing 3', 'market to b', 'resync 3'])
})

test('listeners catch up when the owner has dropped turns', async () => {
  const { interests, routes, next } = nodeWithLinks()
  routes.setOwner(3, { nodeId: 'a', epoch: 1 })
  interests.begin(market)
  await next()
  interests.onResync('b')
  assert.deepEqual(await next(), [])
  interests.onResync('a')
  assert.deepEqual(await next(), ['resync 3'])
})

test('turns of the owner are delivered, and those of a former one are left out', async () => {
  const { interests, routes, next } = nodeWithLinks()
  routes.setOwner(3, { nodeId: 'a', epoch: 1 })
  interests.begin(market)
  routes.setOwner(3, { nodeId: 'b', epoch: 2 })
  await next()
  const turn = encodeTurn(3, { records: [], trades: [trade] })
  interests.onTurn('a', turn)
  assert.deepEqual(await next(), [])
  interests.onTurn('b', turn)
  assert.deepEqual(await next(), ['trades 1'])
})

test('an interest outlives its last listener for a moment, and begins again in it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { interests, routes, next } = nodeWithLinks()
  routes.setOwner(3, { nodeId: 'a', epoch: 1 })
  interests.begin(market)
  await next()
  interests.end(market)
  interests.begin(market)
  t.mock.timers.tick(lingerMs)
  assert.deepEqual(await next(), [])
  interests.end(market)
  t.mock.timers.tick(lingerMs - 1)
  assert.deepEqual(await next(), [])
  t.mock.timers.tick(1)
  assert.deepEqual(await next(), ['market ends at a'])
})

test('a node with too many interests in a shard receives every turn', () => {
  const interested = new InterestedNodes<{ sendTurn(turn: TurnMessage): void }>()
  const sent: TurnMessage[] = []
  const link = { sendTurn: (turn: TurnMessage) => void sent.push(turn) }
  for (let count = 0; count < interestsMax; count += 1) {
    interested.add(link, { ...market, id: `market ${count}` })
  }
  interested.publish(3, { eventRecords: [], trades: [trade] })
  assert.equal(sent.length, 0)
  interested.add(link, market)
  interested.publish(3, { eventRecords: [], trades: [trade] })
  interested.publish(4, { eventRecords: [], trades: [trade] })
  assert.equal(sent.length, 1)
})
