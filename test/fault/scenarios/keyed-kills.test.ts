// A service that is killed while it carries out requests with an Idempotency-Key: each of them,
// repeated after the restart, has been carried out once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'

const [rounds, requests] = [3, 20]
/** Of the kills after the first request was sent. */
const killAfterMs = [15, 30, 60]

function create(operator: OperatorClient, key: string) {
  const headers = { 'idempotency-key': key }
  return Promise.all([
    operator.request('POST', '/markets', { title: key }, { headers }),
    operator.request('POST', '/categories', { name: key, slug: key }, { headers }),
  ])
}

test('a request that is repeated after a kill is carried out once', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  const { id, key } = await OperatorClient.create(first)
  await first.stop()
  let answered = 0
  for (let round = 0; round < rounds; round += 1) {
    const keys = Array.from({ length: requests }, (_, at) => `r${round}-${at}`)
    const killed = await Service.start({ dataDir })
    const client = new OperatorClient(killed, { id, key })
    const sent = keys.map((each) => create(client, each))
    const done = Promise.allSettled(sent)
    await after(killAfterMs[round])
    await killed.kill()
    answered += (await done).filter(({ status }) => status === 'fulfilled').length
    const started = await Service.start({ dataDir })
    const operator = new OperatorClient(started, { id, key })
    for (const each of keys) {
      for (const { status, body } of await create(operator, each)) {
        assert.equal(status, 201, JSON.stringify(body))
      }
    }
    const { markets } = await operator.get('/markets?limit=1000')
    const titles = markets.map(({ title }: { title: string }) => title)
    const slugs = (await operator.get('/categories?includeGlobal=false')).map(
      ({ slug }: { slug: string }) => slug,
    )
    for (const found of [titles, slugs]) {
      assert.deepEqual([...new Set(found)].sort(), [...found].sort(), 'none twice')
      assert.equal(found.length, (round + 1) * requests)
    }
    await started.stop()
  }
  assert.ok(answered < rounds * requests, 'the kills have interrupted requests')
})
