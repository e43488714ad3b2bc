// Clients that do not read their answers are disconnected; slow ones are not.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { apiKeys, someId, testIds, testServer } from '../../../test/support/http/rest-server.ts'
import { orderRow } from '../../../test/support/store/record-rows.ts'
import { orderOfRow } from '../../engine/idempotency/stored-answers.ts'
import { unreadMsMax } from '../http/unread.ts'

/** More than the kernel holds for a connection. */
const answerLength = 32 * 1024 * 1024
/** The service notices within twice the time that a client stopped reading. */
const waitMax = 3 * unreadMsMax
/** A slow client needs longer for the answer than others may read nothing. */
const readEveryMs = 1_500
const readLength = answerLength / 10

const order = { ...orderOfRow(testIds, orderRow), transactionId: 'x'.repeat(answerLength) }
const placed = {
  isAccepted: true,
  answer: { order, trades: [], hasMoreTrades: false, isReplay: false },
} as const
const app = testServer({ engine: { place: () => placed } })
const connectionCount = promisify(app.server.getConnections).bind(app.server)
let port: number
before(async () => {
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
after(() => app.close())

/** The framework answers a request with a header that the fast path does not know. */
function post(...more: readonly string[]): string {
  const about = { marketId: someId, outcomeId: someId, playerId: 'ann' }
  const body = JSON.stringify({ ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.5 })
  const head = ['POST /api/v1/orders HTTP/1.1', 'Host: x', `X-Api-Key: ${apiKeys.all}`, ...more]
  head.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

test('a client that reads nothing is disconnected', async () => {
  const byFramework = post('TE: trailers')
  const requests = [post(), byFramework, byFramework.repeat(2)]
  const clients = await Promise.all(requests.map(silent))
  await pause(unreadMsMax / 2)
  assert.equal(await connectionCount(), clients.length)
  const deadline = performance.now() + waitMax
  while ((await connectionCount()) > 0) {
    assert.ok(performance.now() < deadline, `${await connectionCount()} are still open`)
    await pause(100)
  }
  for (const client of clients) client.destroy()
})

test('a client that reads slowly gets the whole answer', async () => {
  const clients = [await silent(post()), await silent(post('TE: trailers'))]
  const lengths = await Promise.all(clients.map(readSlowly))
  for (const length of lengths) assert.ok(length > answerLength, `${length} bytes`)
})

/** Reads nothing by itself. */
async function silent(request: string): Promise<Socket> {
  const client = connect(port, '127.0.0.1')
  client.on('error', () => undefined)
  await once(client, 'connect')
  client.pause()
  client.write(request)
  return client
}

/** Returns the number of bytes that it got. */
async function readSlowly(client: Socket): Promise<number> {
  let length = 0
  client.on('data', (bytes: Buffer) => {
    length += bytes.length
    if (length % readLength < bytes.length) {
      client.pause()
      setTimeout(() => client.resume(), readEveryMs)
    }
    if (length > answerLength) client.destroy()
  })
  client.resume()
  await once(client, 'close')
  return length
}
