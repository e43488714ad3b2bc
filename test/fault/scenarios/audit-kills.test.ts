// A service that is killed while it carries out acts: each that was answered is in the audit log as
// done, none that was carried out is missing, and none is told as done that was not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

/** Sent one after the other by each of these, until the kill. */
const senders = 8
/** Of the kills after the first request was sent. */
const killAfterMs = [120, 250, 400]

/** The title of a market and the slug of a category are the ids of the requests. */
async function sendUntilKilled(operator: OperatorClient, prefix: string): Promise<string[]> {
  const answered: string[] = []
  const send = async (method: string, path: string, body: object, id: string) => {
    const headers = { 'x-request-id': id }
    const { status } = await operator.request(method, path, body, { headers })
    assert.equal(status, 201)
    answered.push(id)
  }
  const run = async (sender: number) => {
    for (let count = 0; ; count += 1) {
      const id = `${prefix}-${sender}-${count}`
      await send('POST', '/markets', { title: id }, id)
      await send('POST', '/categories', { name: id, slug: `c-${id}` }, `c-${id}`)
    }
  }
  await Promise.allSettled(Array.from({ length: senders }, (_, sender) => run(sender)))
  return answered
}

async function everyEntry(operator: OperatorClient): Promise<Json[]> {
  const { entries, hasMore } = await operator.get('/audit?limit=1000')
  assert.equal(hasMore, false)
  return entries
}

test('the audit log has every act that a killed service has carried out', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  const { id, key } = await OperatorClient.create(first)
  await first.stop()
  const answered: string[] = []
  for (const [round, ms] of killAfterMs.entries()) {
    const killed = await Service.start({ dataDir })
    const sent = sendUntilKilled(new OperatorClient(killed, { id, key }), `r${round}`)
    await after(ms)
    await killed.kill()
    answered.push(...(await sent))

    const started = await Service.start({ dataDir })
    const operator = new OperatorClient(started, { id, key })
    const { markets, hasMore } = await operator.get('/markets?limit=1000')
    assert.equal(hasMore, false)
    const categories = await operator.get('/categories?includeGlobal=false')
    const carriedOut = new Map<string, string>([
      ...markets.map((market: Json) => [market.title, market.id]),
      ...categories.map((category: Json) => [category.slug, category.id]),
    ])
    const entries = await everyEntry(operator)
    const byRequest = new Map(entries.map((entry) => [entry.requestId, entry]))
    for (const requestId of answered) {
      const entry = byRequest.get(requestId)
      const expected = ['DONE', carriedOut.get(requestId)]
      assert.deepEqual([entry?.outcome, entry?.targetId], expected, requestId)
    }
    for (const requestId of carriedOut.keys()) {
      assert.ok(byRequest.has(requestId), `${requestId} was carried out and is not in the log`)
    }
    for (const { outcome, requestId, action } of entries) {
      const isNoted = outcome === 'UNKNOWN' || action === 'createOperator'
      assert.ok(isNoted || carriedOut.has(requestId), `${requestId} was not carried out`)
    }
    await started.stop()
  }
  assert.ok(answered.length > senders, 'acts were answered')
})
