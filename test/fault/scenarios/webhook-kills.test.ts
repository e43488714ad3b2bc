// The service is killed repeatedly between the commit of events and their delivery: each event is
// delivered nevertheless.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../support/webhooks/receiver.ts'
import { WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

const kills = 8
const ordersPerLife = 8

test(`of ${kills} kills between commit and delivery, none loses an event`, async () => {
  const fixture = await WebhookFixture.open()
  after(() => fixture.close())
  // Slow enough that at every kill some events are stored and not delivered.
  const receiver = await fixture.receiver((response) => setTimeout(() => response.end(), 30))
  const operator = await fixture.service.newOperator()
  await fixture.webhook(operator, receiver.url)
  const market = await fixture.market(operator)
  let behind = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const bids = Array.from({ length: ordersPerLife }, (_, at) => {
      return fixture.bid(operator, market, (kill * ordersPerLife + at + 1) / 1_000)
    })
    await Promise.all(bids)
    const { length: stored } = await fixture.events(operator)
    if (new Set(receiver.sequences).size < stored) behind += 1
    await fixture.restart('kill')
  }
  const stored = (await fixture.events(operator)).map(({ sequence }) => sequence)
  await until(() => new Set(receiver.sequences).size >= stored.length, 60_000)
  assert.deepEqual(
    [...new Set(receiver.sequences)].sort((a, b) => a - b),
    stored,
  )
  assert.ok(behind >= kills / 2, `only ${behind} kills happened before all events were delivered`)
  const ids = receiver.received.map(({ event }) => `${event.sequence} ${event.id}`)
  assert.equal(new Set(ids).size, stored.length, 'a delivery keeps its id over restarts')
})
