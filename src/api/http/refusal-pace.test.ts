// The pace of refusals, over real connections.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { apiKeys, testServer } from '../../../test/support/http/rest-server.ts'
import { lateMs, promptPerSecond } from './refusal-pace.ts'

const unknownPath = 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'

async function started(): Promise<{ app: FastifyInstance; open: () => Promise<Socket> }> {
  const app = testServer({ limits: { orders: 1, requests: 1, public: 1 } })
  after(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const open = async () => {
    const client = connect(port, '127.0.0.1').setEncoding('latin1')
    client.on('error', () => undefined)
    after(() => client.destroy())
    await once(client, 'connect')
    return client
  }
  return { app, open }
}

/** The milliseconds until so many answers have arrived. */
async function send(client: Socket, requests: string, count: number): Promise<number> {
  const startedAt = performance.now()
  let text = ''
  const onData = (part: string) => {
    text += part
  }
  client.on('data', onData)
  client.write(requests)
  while (text.split('HTTP/1.1 ').length <= count) await once(client, 'data')
  client.off('data', onData)
  return performance.now() - startedAt
}

test('refusals are sent at once up to a number per second, and then late but all', async () => {
  const { app, open } = await started()
  const [flood, other] = [await open(), await open()]
  const prompt = await send(flood, unknownPath.repeat(promptPerSecond), promptPerSecond)
  assert.equal(app.refusalPace.size, 0, `${prompt} ms`)
  // As many tokens as may have returned meanwhile, and a few more.
  const more = Math.ceil((prompt / 1_000) * promptPerSecond) + 20
  const [late] = await Promise.all([send(flood, unknownPath.repeat(more), more)])
  assert.ok(late >= lateMs, `${late} ms`)
  // A request that is not refused is never late.
  assert.equal(app.refusalPace.size, 0)
  await send(other, 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n', 1)
})

test('requests behind a late refusal are not read, and a closed connection has none', async () => {
  const { app, open } = await started()
  let framed = 0
  app.server.on('request', () => {
    framed += 1
  })
  const flood = await open()
  const many = promptPerSecond * 10
  flood.write(unknownPath.repeat(many))
  while (app.refusalPace.size === 0) await once(app.server, 'request')
  await new Promise((resolve) => setTimeout(resolve, lateMs / 2))
  assert.ok(framed < promptPerSecond * 3, `${framed} of ${many} requests were processed`)
  flood.destroy()
  while (app.refusalPace.size > 0) await new Promise(setImmediate)
})

test('a stop sends late refusals at once', async () => {
  const { app, open } = await started()
  const key = `X-Api-Key: ${apiKeys.all}`
  const json = 'Content-Type: application/json\r\nContent-Length: 2'
  const order = `POST /api/v1/orders HTTP/1.1\r\nHost: x\r\n${key}\r\n${json}\r\n\r\n{}`
  const flood = await open()
  flood.write(order.repeat(promptPerSecond * 2))
  while (app.refusalPace.size === 0) await new Promise(setImmediate)
  app.refusalPace.close()
  assert.equal(app.refusalPace.size, 0)
})
