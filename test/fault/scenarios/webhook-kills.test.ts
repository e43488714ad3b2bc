// The service is killed between the commit of events and their delivery, again and again: each
// event is attempted all the same.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../support/webhooks/receiver.ts'
import { WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

const kills = 8
const ordersPerLife = 8

test(`of ${kills} kills between commit and delivery, none loses an event`, async () => {
  const scene = await WebhookFixture.open()
  after(() => scene.close())
  // Slow enough that every kill finds deliveries that are stored and not made.
  const receiver = await scene.receiver((response) => setTimeout(() => response.end(), 30))
  const operator = await scene.service.newOperator()
  await scene.webhook(operator, receiver.url)
  const market = await scene.market(operator)
  let behind = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const bids = Array.from({ length: ordersPerLife }, (_, at) => {
      return scene.bid(operator, market, (kill * ordersPerLife + at + 1) / 1_000)
    })
    await Promise.all(bids)
    const { length: stored } = await scene.events(operator)
    if (new Set(receiver.sequences).size < stored) behind += 1
    await scene.restart('kill')
  }
  const stored = (await scene.events(operator)).map(({ sequence }) => sequence)
  await until(() => new Set(receiver.sequences).size >= stored.length, 60_000)
  assert.deepEqual(
    [...new Set(receiver.sequences)].sort((a, b) => a - b),
    stored,
  )
  assert.ok(behind >= kills / 2, `only ${behind} kills came before all was delivered`)
  const ids = receiver.received.map(({ told }) => `${told.sequence} ${told.id}`)
  assert.equal(new Set(ids).size, stored.length, 'a delivery has one id over all lives')
})
