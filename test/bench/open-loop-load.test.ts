// The open-loop load sends requests when they are due, and counts a stall in full.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { test } from 'node:test'
import { ArrivalSchedule } from '../../bench/http/arrival-schedule.ts'
import { OpenLoopLoad, type OpenLoopLoadResult } from '../../bench/http/open-loop-load.ts'

test('arrivals are evenly spaced, and each starts once and never before it is due', () => {
  const schedule = new ArrivalSchedule({ perSecond: 100, startAt: 1_000, endAt: 1_040 })
  assert.equal(schedule.startDue(999), null)
  assert.deepEqual([schedule.startDue(1_000), schedule.startDue(1_005)], [1_000, null])
  // Checked late: every request that became due meanwhile starts, with the time it was due.
  const late = [1, 2, 3, 4].map(() => schedule.startDue(5_000))
  assert.deepEqual(late, [1_010, 1_020, 1_030, null])
  assert.equal(schedule.nextAt, null)
})

const perSecond = 200
const stallMs = 700

test('a stall counts for every request due during it, not only for one', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    const answer = () => response.writeHead(201, { 'Content-Length': 2 }).end('{}')
    if (requests === 50) setTimeout(answer, stallMs)
    else answer()
  })
  const result = await runAgainst(server)
  assert.equal(result.answered, perSecond)
  // 140 of the 200 are due during the stall, so the median is one of them and waits for the last
  // 40. Timed from when they were sent, only one would be slow.
  assert.ok(result.p50 >= 150, `p50 is ${result.p50} ms`)
  assert.ok(result.p99 >= stallMs - 50, `p99 is ${result.p99} ms`)
})

async function runAgainst(server: Server): Promise<OpenLoopLoadResult> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    const target = { port, apiKey: 'key', marketId: 'market', outcomeIds: ['yes', 'no'] }
    const window = { warmUpMs: 0, measureMs: 1_000 }
    const requests = { seed: 1, count: 10, hasTransactionIds: false }
    return await new OpenLoopLoad({
      target,
      ...requests,
      ...window,
      perSecond,
      connections: 1,
    }).run()
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
