// Records are read on behalf of the caller of a request, for as long as it waits for the answer.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { apiKeys, someId, testServer } from '../../../test/support/http/rest-server.ts'
import { type ReadCaller, type RecordStore, StoreUnavailable } from '../../store/store.ts'

const headers = { 'x-api-key': apiKeys.all }

/** A server whose reads never end; resolves to the caller of the first. */
function stuckServer() {
  const { promise: caller, resolve } = Promise.withResolvers<ReadCaller>()
  const stuck: RecordStore = new Proxy({} as RecordStore, {
    get: () => () => new Promise(() => {}),
  })
  const app = testServer({
    readsFor: (caller) => {
      resolve(caller)
      return stuck
    },
  })
  return { app, caller }
}

test('a read belongs to the operator of the key, or to the address without a key', async () => {
  const read = stuckServer()
  void read.app.inject({ url: '/api/v1/orders', headers })
  assert.equal((await read.caller).party, 1)
  const open = stuckServer()
  const url = `/api/v1/markets/${someId}/candles/${someId}`
  void open.app.inject({ url, remoteAddress: '10.1.2.3' })
  assert.equal((await open.caller).party, '10.1.2.3')
})

test('a caller has gone when its connection is closed', async () => {
  const { app, caller } = stuckServer()
  await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const closed = new Promise<void>((resolve) => {
      app.server.on('connection', (socket) => socket.once('close', () => resolve()))
    })
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET /api/v1/orders HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKeys.all}\r\n\r\n`)
    const { isGone } = await caller
    assert.equal(isGone(), false)
    socket.destroy()
    await closed
    assert.equal(isGone(), true)
  } finally {
    app.server.closeAllConnections()
    await app.close()
  }
})

test('a read that is refused is answered with 503 and Retry-After', async () => {
  const orders = async () => {
    throw new StoreUnavailable('Too many reads of this caller are waiting.')
  }
  const response = await testServer({ reads: { orders } }).inject({
    url: '/api/v1/orders',
    headers,
  })
  assert.equal(response.statusCode, 503)
  assert.equal(response.json().error.code, 'UNAVAILABLE')
  assert.equal(response.headers['retry-after'], '1')
})
