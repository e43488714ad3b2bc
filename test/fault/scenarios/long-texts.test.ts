// An operator whose markets have as much text as a request allows: the service starts again with
// little memory, because a start reads no text that is only shown.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'

/** 75 MB of text in all; the service itself needs less than half of the heap. */
const marketCount = 300
const heapMb = 100
const smallHeap = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` }

// 250 KB, in descriptions of the greatest length.
const outcomes = Array.from({ length: 30 }, (_, index) => ({
  name: `Outcome ${index}`,
  description: 'x'.repeat(8_192),
}))

test(`${marketCount} markets of 250 KB each start with a heap of ${heapMb} MB`, async () => {
  const dataDir = await newFolder()
  let service = await Service.start({ dataDir, env: { RATE_LIMIT_REQUESTS: '0' } })
  try {
    const operator = await OperatorClient.create(service)
    const last = await createMarkets(operator)
    await service.stop()

    service = await Service.start({ dataDir, env: smallHeap })
    const again = new OperatorClient(service, operator)
    assert.deepEqual(await again.get(`/markets/${last.id}`), last)
    assert.equal((await again.get('/markets?limit=1')).total, marketCount)
    assert.equal((await again.post(`/markets/${last.id}/open`)).status, 'OPEN')
    assert.equal(await service.stop(), 0)
  } finally {
    await service.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** Returns the last one. */
async function createMarkets(operator: OperatorClient): Promise<{ readonly id: string }> {
  const body = { title: 'Who wins?', outcomes }
  for (let made = 1; made < marketCount; made += 1) await operator.post('/markets', body)
  return operator.post('/markets', body)
}
