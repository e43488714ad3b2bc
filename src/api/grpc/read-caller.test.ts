// Records are read on behalf of the operator of a call, for as long as the client waits for it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GrpcClient } from '../../../test/support/grpc/grpc-client.ts'
import { until } from '../../../test/support/http/answers.ts'
import { apiKeys, someId, testContext } from '../../../test/support/http/rest-server.ts'
import type { ReadCaller, RecordStore } from '../../store/store.ts'
import { GrpcServer } from './server.ts'

test('a caller has gone when its call is cancelled', async () => {
  const { promise: caller, resolve } = Promise.withResolvers<ReadCaller>()
  const stuck: RecordStore = new Proxy({} as RecordStore, {
    get: () => () => new Promise(() => {}),
  })
  const outbox = { listen: () => assert.fail('not called here'), resyncs: 0 }
  const readsFor = (reading: ReadCaller) => {
    resolve(reading)
    return stuck
  }
  const server = new GrpcServer({ ...testContext({ readsFor }), outbox })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const client = new GrpcClient(`127.0.0.1:${port}`, apiKeys.all)
  const end = new AbortController()
  const reading = client.request(
    'OrderService/GetOrder',
    { order_id: someId },
    { signal: end.signal },
  )
  const { party, isGone } = await caller
  assert.deepEqual([party, isGone()], [1, false])
  end.abort()
  await assert.rejects(reading, /CANCELLED/)
  assert.ok(
    await until(
      async () => isGone(),
      (gone) => gone,
    ),
  )
  client.close()
})
