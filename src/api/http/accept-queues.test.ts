// Queues of new connections, over real connections.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { apiKeys, testServer } from '../../../test/support/http/rest-server.ts'

const linuxOnly = { skip: process.platform !== 'linux' }
const host = '127.0.0.1'

async function started(): Promise<{ app: FastifyInstance; open: () => Socket }> {
  const app = testServer()
  await app.acceptQueues.listen({ host, port: 0 })
  const [address] = app.addresses()
  assert.ok(typeof address === 'object')
  const open = () => connect(address.port, host).on('error', () => undefined)
  return { app, open }
}

test('many connections are accepted in one pass of the event loop', linuxOnly, async (t) => {
  const { app, open } = await started()
  const count = 300
  let accepted = 0
  app.server.on('connection', () => {
    accepted += 1
  })
  const clients = Array.from({ length: count }, open)
  t.after(() => {
    for (const client of clients) client.destroy()
    return app.close()
  })
  let passes = 0
  for (; accepted < count; passes += 1) await new Promise(setImmediate)
  assert.ok(passes < count / 4, `${count} connections took ${passes} passes`)
})

test('a port that another server listens on is refused', async (t) => {
  const { app } = await started()
  t.after(() => app.close())
  const [address] = app.addresses()
  assert.ok(typeof address === 'object')
  const second = testServer()
  t.after(() => second.close())
  const listening = second.acceptQueues.listen({ host, port: address.port })
  await assert.rejects(listening, { code: 'EADDRINUSE', port: address.port })
})

test('a stop answers the requests of all queues before it ends', async () => {
  const { app, open } = await started()
  const [head, rest] = ['{"title"', ':"?"}']
  const length = `Content-Length: ${head.length + rest.length}`
  const json = `X-Api-Key: ${apiKeys.all}\r\nContent-Type: application/json\r\n${length}`
  const arrived = new Promise<void>((resolve) => {
    let waiting = 50
    app.server.on('request', () => {
      waiting -= 1
      if (waiting === 0) resolve()
    })
  })
  const clients = Array.from({ length: 50 }, open)
  for (const client of clients) {
    client.write(`POST /api/v1/markets HTTP/1.1\r\nHost: x\r\n${json}\r\n\r\n${head}`)
  }
  await arrived
  let hasEnded = false
  const ended = app.close().then(() => {
    hasEnded = true
  })
  await new Promise(setImmediate)
  for (const client of clients) {
    assert.equal(hasEnded, false)
    client.write(rest)
    const [answer] = await once(client, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 \d{3} /)
  }
  await ended
})
