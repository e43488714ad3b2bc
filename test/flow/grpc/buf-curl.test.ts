// `buf curl` calls the service by reflection alone, without the proto files.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { grpcAddressOf } from '../../support/grpc/grpc-client.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { Service } from '../../support/process/outcry-process.ts'

const run = promisify(execFile)
const buf = fileURLToPath(new URL('../../../node_modules/.bin/buf', import.meta.url))
const protocol = ['--protocol', 'grpc', '--http2-prior-knowledge']

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service?.stop())

async function curl(path: string, ...args: readonly string[]): Promise<string> {
  const url = `http://${grpcAddressOf(service)}${path}`
  // In a folder without proto files.
  const { stdout } = await run(buf, ['curl', ...protocol, ...args, url], { cwd: tmpdir() })
  return stdout
}

test('buf curl lists the services and their methods', async () => {
  assert.deepEqual((await curl('', '--list-services')).trim().split('\n'), [
    'grpc.health.v1.Health',
    'outcry.v1.MarketDataService',
    'outcry.v1.OrderService',
  ])
  const methods = await curl('', '--list-methods')
  for (const name of ['grpc.health.v1.Health/Watch', 'outcry.v1.OrderService/PlaceOrders']) {
    assert.ok(methods.split('\n').includes(name), methods)
  }
})

test('buf curl asks for the health of the service', async () => {
  const answer = await curl('/grpc.health.v1.Health/Check', '--data', '{}')
  assert.deepEqual(JSON.parse(answer), { status: 'SERVING' })
})

test('buf curl places an order and reads it', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const key = ['--header', `x-api-key: ${operator.key}`]
  const order = {
    ...{ marketId: market.id, outcomeId: market.outcomes[0].id, playerId: 'ann' },
    ...{ side: 'SIDE_BUY', type: 'ORDER_TYPE_LIMIT', shares: '10', price: '0.5' },
  }
  const path = '/outcry.v1.OrderService'
  const placed = await curl(`${path}/PlaceOrder`, ...key, '--data', JSON.stringify(order))
  const { id, price } = JSON.parse(placed).order
  assert.equal(price, '0.5')
  const read = await curl(`${path}/GetOrder`, ...key, '--data', JSON.stringify({ orderId: id }))
  assert.equal(JSON.parse(read).id, id)
})
