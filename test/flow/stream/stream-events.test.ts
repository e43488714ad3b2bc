// Eight consumers of one operator's events, by replay and by stream, through crashes and restarts
// of the service: each gets every event once.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { endow, trade } from '../../support/http/random-trading.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

const crashes = 3
/** Received between two crashes, however slow the machine is. */
const requestsMin = 200
const catchUpMax = 60_000

/** Where the service is at the moment; null while it is down. */
type Place = { service: Service | null }

class Consumer {
  readonly faults: string[] = []
  readonly seen: string[] = []
  isOver = false

  get last(): number {
    return this.seen.length
  }

  receive(event: Json): void {
    const expected = this.last + 1
    if (event.sequence !== expected) this.faults.push(`${event.sequence}, not ${expected}`)
    this.seen.push(JSON.stringify(event))
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function consumeByReplay(consumer: Consumer, place: Place, key: string): Promise<void> {
  while (!consumer.isOver) {
    const path = `/api/v1/events?limit=100&since=${consumer.last}`
    try {
      const { body } = await place.service!.request('GET', path, { key })
      for (const event of body.data.events) consumer.receive(event)
      if (!body.data.hasMore) await pause(10)
    } catch {
      await pause(20)
    }
  }
}

async function consumeByStream(
  consumer: Consumer,
  place: Place,
  { key, random }: { key: string; random: Random },
): Promise<void> {
  while (!consumer.isOver) {
    const url = place.service?.url
    if (url === undefined) {
      await pause(20)
      continue
    }
    // Messages that still arrive over a discarded connection are ignored.
    let isOurs = true
    const onMessage = ({ type, event }: Json) => {
      if (type === 'event' && isOurs) consumer.receive(event)
    }
    try {
      const client = await StreamClient.open(url, { key, onMessage, isKept: false })
      client.send({ op: 'subscribe', channels: ['events'], since: consumer.last })
      await Promise.race([client.closed, pause(random.between(50, 700))])
      isOurs = false
      client.socket.terminate()
    } catch {
      await pause(20)
    }
  }
}

test('every consumer gets every event once, through crashes and restarts', async (context) => {
  const dataDir = await newFolder()
  const place: Place = { service: await Service.start({ dataDir }) }
  context.after(async () => {
    await place.service?.kill()
    await rm(dataDir, { recursive: true })
  })
  const operator = await OperatorClient.create(place.service!)
  const markets = [await operator.openMarket(), await operator.openMarket()]
  await endow(operator, markets)
  const consumers = Array.from({ length: 8 }, () => new Consumer())
  const { key } = operator
  context.after(() => {
    for (const consumer of consumers) consumer.isOver = true
  })
  const running = consumers.map((consumer, at) =>
    at % 2 === 0
      ? consumeByReplay(consumer, place, key)
      : consumeByStream(consumer, place, { key, random: new Random(at) }),
  )
  const random = new Random(7)
  let client = operator
  for (let crash = 0; crash <= crashes; crash += 1) {
    const trading = trade({ operator: client, markets, random, traders: 6 })
    while (trading.count() < requestsMin) await pause(20)
    if (crash < crashes) {
      const { service } = place
      place.service = null
      if (crash % 2 === 0) await service!.kill()
      else await service!.stop()
      await trading.stop()
      place.service = await Service.start({ dataDir })
      client = new OperatorClient(place.service, operator)
    } else await trading.stop()
  }
  const stored = await client.events()
  for (const deadline = Date.now() + catchUpMax; Date.now() < deadline; await pause(20)) {
    if (consumers.every(({ last }) => last >= stored.length)) break
  }
  for (const consumer of consumers) consumer.isOver = true
  await Promise.all(running)
  const texts = stored.map((event) => JSON.stringify(event))
  for (const consumer of consumers) {
    assert.deepEqual(consumer.faults, [])
    assert.equal(consumer.last, stored.length)
    assert.ok(consumer.seen.every((text, at) => text === texts[at]))
  }
  assert.ok(stored.length > 1_000, `${stored.length} events`)
})
