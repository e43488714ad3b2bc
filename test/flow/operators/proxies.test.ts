// Limits by address behind a proxy, on every interface of a running service.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { WebSocket } from 'ws'
import { grpcAddressOf } from '../../support/grpc/grpc-client.ts'
import { Service } from '../../support/process/outcry-process.ts'

const publicMax = 5
const marketId = '00000000-0000-7000-8000-000000000000'
const env = { RATE_LIMIT_PUBLIC: String(publicMax) }
const trusting = await Service.start({ env: { ...env, TRUSTED_PROXIES: '127.0.0.0/8, ::1' } })
after(() => trusting.stop())
const trustingNone = await Service.start({ env })
after(() => trustingNone.stop())

async function restStatus(service: Service, address: string): Promise<number> {
  const headers = { 'x-forwarded-for': address }
  return (await service.request('GET', `/api/v1/markets/${marketId}/prices`, { headers })).status
}

/** Whether a subscription to a topic that does not exist is counted and admitted. */
async function streamCode({ url }: Service, address: string): Promise<string> {
  const headers = { forwarded: `for="${address}"` }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers })
  await once(socket, 'open')
  const marketIds = [marketId]
  socket.send(JSON.stringify({ op: 'subscribe', id: '1', channels: ['orderbook'], marketIds }))
  const [data] = await once(socket, 'message')
  socket.terminate()
  return JSON.parse(String(data)).error?.code
}

/** The status of a call without a valid key, which counts towards the limit of its address. */
async function grpcStatus(service: Service, address: string): Promise<number | undefined> {
  const client = new Client(grpcAddressOf(service), credentials.createInsecure())
  const metadata = new Metadata()
  metadata.set('x-forwarded-for', address)
  const nothing = () => Buffer.alloc(0)
  const path = '/outcry.v1.OrderService/PlaceOrder'
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest(path, nothing, nothing, null, metadata, (error) => {
        resolve(error?.code)
      })
    })
  } finally {
    client.close()
  }
}

const interfaces: readonly {
  readonly name: string
  readonly ask: (service: Service, address: string) => Promise<unknown>
  readonly limited: unknown
}[] = [
  { name: 'REST', ask: restStatus, limited: 429 },
  { name: 'the stream', ask: streamCode, limited: 'RATE_LIMITED' },
  { name: 'gRPC', ask: grpcStatus, limited: 8 },
]

for (const [at, { name, ask, limited }] of interfaces.entries()) {
  test(`behind a trusted proxy, ${name} limits each client by its own address`, async () => {
    const one = `203.0.113.${at}`
    const answers: unknown[] = []
    for (let count = 0; count < publicMax * 4; count += 1) answers.push(await ask(trusting, one))
    assert.ok(answers.includes(limited), JSON.stringify(answers))
    assert.notEqual(await ask(trusting, `198.51.100.${at}`), limited)
  })

  test(`without trusted proxies, ${name} limits by the address of the connection`, async () => {
    const answers: unknown[] = []
    for (let count = 0; count < publicMax * 4; count += 1) {
      answers.push(await ask(trustingNone, `203.0.113.${count}`))
    }
    assert.ok(answers.includes(limited), JSON.stringify(answers))
  })
}
