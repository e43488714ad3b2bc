// The audit log by what an act was about, in the spelling in which it was noted.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

test('acts on a player are found as its id is spelt, and others in any case', async () => {
  const operator = await OperatorClient.create(service)
  const upperId = '019A8A30-1C00-7000-8000-000000000001'
  for (const playerId of ['Bob', upperId]) {
    await operator.request('PUT', `/players/${playerId}/controls`, { mode: 'OPEN' })
  }
  const { id } = await operator.createMarket()
  const targetsOf = async (targetId: string) => {
    const { entries } = await operator.get(`/audit?targetId=${targetId}`)
    return entries.map((entry: Json) => entry.targetId)
  }
  assert.deepEqual(await targetsOf('Bob'), ['Bob'])
  assert.deepEqual(await targetsOf('bob'), [])
  assert.deepEqual(await targetsOf(upperId), [upperId])
  assert.deepEqual(await targetsOf(id.toUpperCase()), [id])
})

test('a cancellation of orders names the player if it names no market', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.openMarket()
  for (const filter of ['side=BUY', 'playerId=Bob', `marketId=${id}&playerId=Bob`]) {
    assert.equal((await operator.request('DELETE', `/orders?${filter}`)).status, 200)
  }
  const { entries } = await operator.get('/audit?action=cancelOrders')
  assert.deepEqual(
    entries.map(({ targetId }: Json) => targetId),
    [id, 'Bob', null],
  )
})
