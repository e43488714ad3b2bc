// Answers about brakes: of one that is stored when something fails after that, and of none.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  adminKey,
  apiKeys,
  testContext,
  testOperator,
  testServer,
} from '../../../../test/support/http/rest-server.ts'
import { Unavailable } from '../../../engine/commands.ts'
import { StoreUnavailable } from '../../../store/store.ts'

type Changes = Parameters<typeof testServer>[0]

const halted = { mode: 'HALTED', reason: 'A fault' }
const playerPath = '/api/v1/players/ann/controls'
const exchangePath = '/api/v1/admin/controls'

async function put(changes: Changes, url: string, payload: object) {
  const headers = { 'x-api-key': apiKeys.all, 'x-admin-key': adminKey }
  const answer = await testServer(changes).inject({ method: 'PUT', url, headers, payload })
  const { data, error } = answer.json()
  return { status: answer.statusCode, data, code: error?.code ?? null }
}

test('a stored brake on a player is answered although readers are busy', async () => {
  const readsFor = () => {
    throw new StoreUnavailable('Too many reads are waiting.')
  }
  const { status, data } = await put({ readsFor }, playerPath, halted)
  assert.equal(status, 200)
  assert.equal(data.controls.mode, 'HALTED')
})

test('a stored brake on a player whose limits cannot be read is not called undone', async () => {
  const usage = () => Promise.reject(new StoreUnavailable('closing'))
  const { status, code } = await put({ reads: { usage } }, playerPath, halted)
  assert.deepEqual([status, code], [503, 'COMMIT_UNKNOWN'])
})

test('a stored brake on the exchange is not called undone if a shard has no owner', async () => {
  const changeControls = () => Promise.reject(new Unavailable('no owner'))
  const { status, code } = await put({ engine: { changeControls } }, exchangePath, halted)
  assert.deepEqual([status, code], [503, 'COMMIT_UNKNOWN'])
})

test('a brake on the exchange that the registry cannot store is called undone', async () => {
  const { registry } = testContext()
  const refusing = () => Promise.reject(new StoreUnavailable('full'))
  const brakes = { ...registry.brakes, put: refusing }
  const { status, code } = await put({ registry: { ...registry, brakes } }, exchangePath, halted)
  assert.deepEqual([status, code], [503, 'UNAVAILABLE'])
})

test('a brake that was released is answered as it is read: as none', async () => {
  const administrators = `/api/v1/admin/operators/${testOperator.id}/controls`
  for (const path of [playerPath, '/api/v1/controls', administrators]) {
    const { data } = await put({}, path, { mode: 'OPEN' })
    assert.deepEqual([data.controls.mode, data.controls.updatedAt], ['OPEN', null], path)
  }
  const limited = await put({}, playerPath, { mode: 'OPEN', limits: { maxOrderCost: 5 } })
  assert.notEqual(limited.data.controls.updatedAt, null)
})

test('the document names the refusal of a player id that no order could have', async () => {
  const url = `/api/v1/players/${'x'.repeat(129)}/controls`
  const headers = { 'x-api-key': apiKeys.all }
  const app = testServer()
  const { statusCode } = await app.inject({ method: 'GET', url, headers })
  assert.equal(statusCode, 400)
  const document = (await app.inject({ url: '/openapi.json' })).json()
  const { get, put: replace } = document.paths['/api/v1/players/{playerId}/controls']
  for (const { responses } of [get, replace]) assert.ok('400' in responses)
})
