// What waits for a client that does not read stays within its bounds, over a real connection.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocket, WebSocketServer } from 'ws'
import { textFrame } from './frame.ts'
import { Outflow, usualBounds } from './slow-reader.ts'

const frame = textFrame({ text: 'x'.repeat(64 * 1024) })
/** More than a kernel takes for a client that does not read. */
const framesMax = 1_000

async function connected(context: TestContext) {
  const http = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  const accepted = new Promise<{ client: WebSocket; stream: Socket }>((resolve) => {
    http.on('upgrade', (request, duplex, head) => {
      sockets.handleUpgrade(request, duplex, head, (client) => {
        resolve({ client, stream: request.socket })
      })
    })
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const reader = new WebSocket(`ws://127.0.0.1:${port}`)
  const { client, stream } = await accepted
  if (reader.readyState !== WebSocket.OPEN) await once(reader, 'open')
  context.after(() => {
    reader.terminate()
    client.terminate()
    http.close()
  })
  let tooSlow = 0
  const outflow = new Outflow(client, stream, usualBounds, () => {
    tooSlow += 1
  })
  return { reader, stream, outflow, tooSlow: () => tooSlow }
}

test('what waits stays below the hard bound, and the client is found too slow', async (context) => {
  const { reader, stream, outflow, tooSlow } = await connected(context)
  reader.pause()
  let most = 0
  for (let count = 0; count < framesMax && tooSlow() === 0; count += 1) {
    outflow.send(frame)
    most = Math.max(most, stream.writableLength)
    if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(tooSlow(), 1)
  assert.ok(outflow.isSlow)
  assert.ok(most <= usualBounds.hardBytesMax, `${most} bytes`)
})

test('who takes nothing for ten seconds is too slow; who reads is not', async (context) => {
  const { reader, outflow, tooSlow } = await connected(context)
  reader.pause()
  for (let count = 0; count < framesMax && !outflow.isSlow; count += 1) {
    outflow.send(frame)
    if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  outflow.look(0)
  outflow.look(usualBounds.stalledMsMax - 1)
  assert.equal(tooSlow(), 0)
  const drained = outflow.drained()
  reader.resume()
  await drained
  assert.equal(outflow.isSlow, false)
  outflow.look(usualBounds.stalledMsMax)
  assert.equal(tooSlow(), 0)
  reader.pause()
  for (let count = 0; count < framesMax && !outflow.isSlow; count += 1) {
    outflow.send(frame)
    if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  outflow.look(100_000)
  outflow.look(100_000 + usualBounds.stalledMsMax)
  assert.equal(tooSlow(), 1)
})

test('a frame of every length is read as what was said', async (context) => {
  const { reader, outflow } = await connected(context)
  for (const length of [0, 100, 118, 119, 65_000, 65_528, 65_529, 200_000]) {
    const text = 'é'.repeat(length / 2)
    const came = once(reader, 'message')
    outflow.send(textFrame({ text }))
    assert.deepEqual(JSON.parse(String((await came)[0])), { text })
  }
})
