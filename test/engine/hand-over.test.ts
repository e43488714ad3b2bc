// A shard that is handed over: every caller is answered, also if the store fails meanwhile.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommitUnknown, NotOwner } from '../../src/engine/commands.ts'
import { CommitFailure, StoreUnavailable } from '../../src/store/store.ts'
import { until } from '../support/http/answers.ts'
import { answerOf, EngineFixture, withEngine } from './engine-fixture.ts'

test('commands before a handover are committed, and later ones are for the next owner', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const placed = fixture.place(market)
    const handedOver = fixture.engine.handOver()
    await assert.rejects(fixture.place(market), NotOwner)
    answerOf(await placed)
    await handedOver
  }))

test('a command whose commit fails during a handover is unknown', async (t) => {
  let isReachable = true
  const fixture = await EngineFixture.open(undefined, (shard) => ({
    ...shard,
    claim: async () => {
      if (!isReachable) throw new StoreUnavailable('The store cannot be reached.')
      return shard.claim()
    },
  }))
  t.after(() => fixture.close())
  const market = await fixture.market()
  const sent = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  fixture.commitHook = async () => {
    sent.resolve()
    await failed.promise
  }
  const placed = assert.rejects(fixture.place(market), CommitUnknown)
  await sent.promise
  const handedOver = assert.rejects(fixture.engine.handOver(), StoreUnavailable)
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 10_000)
  const isReleased = await until(
    async () => !fixture.engine.isReady,
    (is) => is,
  )
  assert.ok(isReleased, 'it does not wait for longer')
  isReachable = false
  failed.reject(new CommitFailure('The answer is lost.', { outcome: 'unknown' }))
  await Promise.all([placed, handedOver])
})

for (const isStored of [true, false]) {
  const what = isStored ? 'is stored is answered' : 'is not stored is for the next owner'
  test(`a command that ${what} when the shard is lost before its commit is known`, () =>
    withEngine(async (fixture) => {
      const market = await fixture.market()
      const sent = Promise.withResolvers<void>()
      const lost = Promise.withResolvers<void>()
      fixture.commitHook = async (turn, commit) => {
        if (isStored) await commit(turn)
        sent.resolve()
        await lost.promise
        throw new CommitFailure('The answer is lost.', { outcome: 'unknown' })
      }
      const placed = fixture.place(market)
      await sent.promise
      const losing = fixture.engine.lose()
      lost.resolve()
      if (isStored) answerOf(await placed)
      else await assert.rejects(placed, NotOwner)
      await losing
    }))
}
