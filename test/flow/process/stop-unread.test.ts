// Stopping the service while clients do not read their answers or do not finish their requests.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { Service } from '../../support/process/outcry-process.ts'
import { StalledReader } from '../../support/stream/stalled-reader.ts'

const stopMsMax = 9_000
/** Answers of 800 KB, so that no buffer of the kernel holds them all. */
const marketCount = 100
const descriptionLength = 8_000
const pipelined = 40
/** How long the honest client needs for its request after the signal. */
const thinkMs = 500

test('clients that read nothing do not keep the service from stopping', async (t) => {
  const service = await Service.start()
  t.after(() => service.kill())
  const operator = await OperatorClient.create(service)
  const description = 'x'.repeat(descriptionLength)
  for (let made = 0; made < marketCount; made += 1) await operator.createMarket({ description })
  const key = `Host: x\r\nX-Api-Key: ${operator.key}\r\n`
  const list = `GET /api/v1/markets?limit=100 HTTP/1.1\r\n${key}\r\n`.repeat(pipelined)
  const silent = await Promise.all([
    ...Array.from({ length: 4 }, () => connected(service, list)),
    connected(service, 'POST /api/v1/orders HTTP/1.1\r\nHost: x\r\n'),
    connected(service, `POST /api/v1/markets HTTP/1.1\r\n${key}Content-Length: 9\r\n\r\n{`),
  ])
  const reader = await StalledReader.open(service.url)
  reader.send({ op: 'subscribe', channels: ['orderbook'], marketIds: ['x'] })
  const body = '{"title":"?"}'
  const more = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const honest = await connected(service, `POST /api/v1/markets HTTP/1.1\r\n${key}${more}{`)
  const answer = textOf(honest)
  // Long enough for the service to have begun with all of them.
  await pause(thinkMs)
  const startedAt = performance.now()
  const stopping = service.stop()
  await pause(thinkMs)
  honest.write(body.slice(1))
  const [code, text] = await Promise.all([stopping, answer])
  const elapsedMs = performance.now() - startedAt
  for (const client of [...silent, reader]) client.destroy()
  assert.match(text, /^HTTP\/1\.1 (201|503) /)
  assert.match(text, /\r\n\r\n\{"success":.*\}$/)
  assert.equal(code, 0)
  assert.ok(elapsedMs < stopMsMax, `${elapsedMs} ms`)
})

/** Reads nothing by itself. */
async function connected({ url }: Service, bytes: string): Promise<Socket> {
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.on('error', () => undefined)
  await once(client, 'connect')
  client.pause()
  client.write(bytes)
  return client
}

async function textOf(client: Socket): Promise<string> {
  let text = ''
  client.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  client.resume()
  await once(client, 'close')
  return text
}
