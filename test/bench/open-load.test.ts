// The load with a fixed rate: it sends when it is time, and counts a stall in full.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { test } from 'node:test'
import { Arrivals } from '../../bench/http/arrivals.ts'
import { OpenLoad, type OpenLoadResult } from '../../bench/http/open-load.ts'

test('arrivals are evenly spaced, each is taken once, and none is due before its time', () => {
  const arrivals = new Arrivals({ perSecond: 100, startAt: 1_000, endAt: 1_040 })
  assert.equal(arrivals.take(999), null)
  assert.deepEqual([arrivals.take(1_000), arrivals.take(1_005)], [1_000, null])
  // Looked at late: all that came meanwhile are due, with the times they were meant for.
  const late = [1, 2, 3, 4].map(() => arrivals.take(5_000))
  assert.deepEqual(late, [1_010, 1_020, 1_030, null])
  assert.equal(arrivals.nextAt, null)
})

const perSecond = 200
const stallMs = 700

test('all that arrive while the server stalls count it, not only the one served', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    const answer = () => response.writeHead(201, { 'Content-Length': 2 }).end('{}')
    if (requests === 50) setTimeout(answer, stallMs)
    else answer()
  })
  const result = await runAgainst(server)
  assert.equal(result.answered, perSecond)
  // 140 of the 200 arrive in the stall, so the median is one of them and waits for the last 40.
  // Counted from when they were sent, a single one would have been slow.
  assert.ok(result.p50 >= 150, `half of them took ${result.p50} ms or less`)
  assert.ok(result.p99 >= stallMs - 50, `99 % of them took ${result.p99} ms or less`)
})

async function runAgainst(server: Server): Promise<OpenLoadResult> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    const target = { port, apiKey: 'key', marketId: 'market', outcomeIds: ['yes', 'no'] }
    const window = { warmUpMs: 0, measureMs: 1_000 }
    const requests = { seed: 1, count: 10, hasTransactionIds: false }
    return await new OpenLoad({ target, ...requests, ...window, perSecond, connections: 1 }).run()
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
