// The send buffer of a client that does not read stays within its bounds, over a real connection.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocket, WebSocketServer } from 'ws'
import { textFrame } from './frame.ts'
import { SendBuffer, usualSendBounds } from './send-buffer.ts'

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
  const sendBuffer = new SendBuffer(client, stream, usualSendBounds, () => {
    tooSlow += 1
  })
  return { reader, stream, sendBuffer, tooSlow: () => tooSlow }
}

test('unread data stays below the hard bound, and the client is too slow', async (context) => {
  const { reader, stream, sendBuffer, tooSlow } = await connected(context)
  reader.pause()
  let most = 0
  for (let count = 0; count < framesMax && tooSlow() === 0; count += 1) {
    sendBuffer.send(frame)
    most = Math.max(most, stream.writableLength)
    if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(tooSlow(), 1)
  assert.ok(sendBuffer.isSlow)
  assert.ok(most <= usualSendBounds.hardBytesMax, `${most} bytes`)
})

test('a client is too slow after ten seconds without reading, not before', async (context) => {
  const { reader, sendBuffer, tooSlow } = await connected(context)
  reader.pause()
  for (let count = 0; count < framesMax && !sendBuffer.isSlow; count += 1) {
    sendBuffer.send(frame)
    if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  sendBuffer.checkStalled(0)
  sendBuffer.checkStalled(usualSendBounds.stalledMsMax - 1)
  assert.equal(tooSlow(), 0)
  const drained = sendBuffer.drained()
  reader.resume()
  await drained
  assert.equal(sendBuffer.isSlow, false)
  sendBuffer.checkStalled(usualSendBounds.stalledMsMax)
  assert.equal(tooSlow(), 0)
  reader.pause()
  for (let count = 0; count < framesMax && !sendBuffer.isSlow; count += 1) {
    sendBuffer.send(frame)
    if (count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  sendBuffer.checkStalled(100_000)
  sendBuffer.checkStalled(100_000 + usualSendBounds.stalledMsMax)
  assert.equal(tooSlow(), 1)
})

test('a frame of any length is read as the message that was sent', async (context) => {
  const { reader, sendBuffer } = await connected(context)
  for (const length of [0, 100, 118, 119, 65_000, 65_528, 65_529, 200_000]) {
    const text = 'é'.repeat(length / 2)
    const came = once(reader, 'message')
    sendBuffer.send(textFrame({ text }))
    assert.deepEqual(JSON.parse(String((await came)[0])), { text })
  }
})
