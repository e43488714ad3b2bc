// Pages under load are read at a fixed rate, a stall counts in full, and a failure is reported.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { PageReads, type PageTimes, pageEveryMs } from '../../bench/http/page-reads.ts'

const stallMs = 600
const lastEvent = 1_234

type Answer = (response: ServerResponse, url: URL) => void

const answerPage: Answer = (response, url) => {
  const since = Number(url.searchParams.get('since'))
  const limit = Number(url.searchParams.get('limit'))
  const lastSequence = Math.max(since, Math.min(since + limit, lastEvent))
  const events = Array.from({ length: lastSequence - since }, () => ({}))
  response.end(JSON.stringify({ data: { events, lastSequence } }))
}

/** Reads until `isOver`, and counts from the first page that is due after the start. */
async function readFrom(answer: Answer, isOver: () => Promise<unknown>): Promise<PageTimes> {
  const listener: RequestListener = (request, response) =>
    answer(response, new URL(request.url ?? '', 'http://127.0.0.1'))
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    const target = { port, apiKey: 'key', marketId: 'market', outcomeIds: ['yes', 'no'] }
    const reads = new PageReads(target)
    await reads.start()
    reads.countFrom(performance.now())
    await isOver()
    return await reads.stop()
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a consumer of events starts after the last one', async () => {
  const sinces: number[] = []
  const read = Promise.withResolvers<void>()
  const answer: Answer = (response, url) => {
    if (url.searchParams.get('limit') === '100') {
      sinces.push(Number(url.searchParams.get('since')))
      read.resolve()
    }
    answerPage(response, url)
  }
  await readFrom(answer, () => read.promise)
  assert.equal(sinces[0], lastEvent)
})

test('a stall counts for every page due during it', async () => {
  const stalled = Promise.withResolvers<void>()
  let stallEnds = Infinity
  const answer: Answer = async (response, url) => {
    if (url.pathname.endsWith('/orders')) {
      if (stallEnds === Infinity) stallEnds = performance.now() + stallMs
      await pause(Math.max(0, stallEnds - performance.now()))
      stalled.resolve()
    }
    answerPage(response, url)
  }
  const { orders, events } = await readFrom(answer, () => stalled.promise)
  const slow = orders.filter((ms) => ms >= stallMs / 2).length
  assert.ok(slow >= stallMs / 2 / pageEveryMs - 1, `${slow} slow pages of ${orders.length}`)
  assert.ok(events.length >= stallMs / 2 / pageEveryMs, `${events.length} pages of events`)
})

test('a page that cannot be read fails the measurement', async () => {
  const failed = Promise.withResolvers<void>()
  const answer: Answer = (response, url) => {
    if (!url.pathname.endsWith('/orders')) return answerPage(response, url)
    response.writeHead(503).end('busy')
    failed.resolve()
  }
  await assert.rejects(
    readFrom(answer, () => failed.promise),
    /GET orders.*busy/,
  )
})
