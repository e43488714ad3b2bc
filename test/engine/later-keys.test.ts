// TransactionIds that are loaded while the shard runs already.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LaterKeys, ShardStore, UsedKey } from '../../src/store/store.ts'
import { answerOf, withEngine } from './engine-fixture.ts'

/** A store that loads its keys later. */
const withLaterKeys =
  (laterKeys: (keys: readonly UsedKey[]) => LaterKeys) =>
  (shard: ShardStore): ShardStore => ({
    ...shard,
    load: async () => {
      const loaded = await shard.load()
      return { ...loaded, keys: [], laterKeys: laterKeys([...loaded.keys]) }
    },
  })

test('while keys are being loaded, every transactionId is looked up in the store', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const first = answerOf(await fixture.place(market, { transactionId: 'bet-1' }))
    const never = () =>
      async function* () {
        await new Promise(() => undefined)
        yield []
      }
    const again = await fixture.reopen(withLaterKeys(never))
    const place = async (transactionId: string) =>
      answerOf(await again.place(market, { transactionId }))
    const replayed = await place('bet-1')
    assert.deepEqual([replayed.order.id, replayed.isReplay], [first.order.id, true])
    const other = await place('bet-2')
    assert.equal(other.isReplay, false)
    assert.equal((await place('bet-2')).order.id, other.order.id)
    await again.stop()
  }))

test('keys that cannot be loaded are read again', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await fixture.place(market, { transactionId: 'bet-1' })
    let tries = 0
    const onceFailing = (keys: readonly UsedKey[]) =>
      async function* () {
        tries += 1
        if (tries === 1) throw new Error('no connection')
        yield keys
      }
    const again = await fixture.reopen(withLaterKeys(onceFailing))
    while (tries < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    const { isReplay } = answerOf(await again.place(market, { transactionId: 'bet-1' }))
    assert.equal(isReplay, true)
    await again.stop()
  }))
