// A dead-man switch that the client keeps alive, until a signal ends it or a renewal is too late.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isOutcryError } from '../../client/src/outcry.ts'
import { ClientFixture } from './fixture.ts'

const fixture = await ClientFixture.open()
after(() => fixture.close())
const { client } = fixture

/** A client that counts renewals, and can be cut off from the service. */
function countingClient() {
  const state = { renewals: 0, isCutOff: false, onRenewal: () => {} }
  const counting = fixture.clientOf({
    fetch: async (input, init) => {
      if (init?.method !== 'PUT') return fetch(input, init)
      state.renewals += 1
      state.onRenewal()
      if (state.isCutOff) throw new TypeError('fetch failed')
      return fetch(input, init)
    },
  })
  return { state, counting }
}

test('a switch is renewed before its deadline, and cleared when a signal is aborted', async () => {
  const { state, counting } = countingClient()
  const controller = new AbortController()
  const body = { timeoutMs: 6_000, playerId: 'ann' }
  let isArmed = false
  const renewedTwice = new Promise<void>((resolve) => {
    state.onRenewal = () => {
      if (state.renewals === 3) resolve()
    }
  })
  const onArmed = () => {
    isArmed = true
  }
  const kept = counting.deadMan.keepAlive(body, { signal: controller.signal, onArmed })
  await renewedTwice
  assert.equal(isArmed, true)
  assert.equal((await client.deadMan.get('ann')).state, 'ARMED')
  controller.abort()
  await kept
  await assert.rejects(client.deadMan.get('ann'), (error) => isOutcryError(error, 'NOT_FOUND'))
})

test('a switch that could not be renewed in time is an error, and is not armed again', async () => {
  const { state, counting } = countingClient()
  const { signal } = new AbortController()
  const onArmed = () => {
    state.isCutOff = true
  }
  const kept = counting.deadMan.keepAlive(
    { timeoutMs: 1_000, playerId: 'bob' },
    { signal, onArmed },
  )
  await assert.rejects(kept, (error) => isOutcryError(error, 'DEAD_MAN_TRIGGERED'))
  assert.ok(state.renewals > 2, 'several renewals were tried')
})

test('a switch that was triggered before a renewal arrived is an error', async () => {
  const { signal } = new AbortController()
  const deadlines = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:02.000Z']
  const answering = fixture.clientOf({
    fetch: async () => {
      const data = { state: 'ARMED', playerId: null, timeoutMs: 1_000, deadline: deadlines.shift() }
      return Response.json({ success: true, data })
    },
  })
  const kept = answering.deadMan.keepAlive({ timeoutMs: 1_000 }, { signal })
  await assert.rejects(kept, (error) => isOutcryError(error, 'DEAD_MAN_TRIGGERED'))
})

test('what is refused is thrown at once, and an aborted signal sends nothing', async () => {
  const { state, counting } = countingClient()
  const { signal } = new AbortController()
  const wrong = counting.deadMan.keepAlive({ timeoutMs: 1 }, { signal })
  await assert.rejects(wrong, (error) => isOutcryError(error, 'VALIDATION_ERROR'))
  assert.equal(state.renewals, 1)
  await counting.deadMan.keepAlive({ timeoutMs: 1_000 }, { signal: AbortSignal.abort() })
  assert.equal(state.renewals, 1)
})
