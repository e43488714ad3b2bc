// A shard of which a node of an earlier version also reads the events.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import type { EventForm } from '../../src/core/events/events.ts'
import type { Shares } from '../../src/core/money.ts'
import type { Limits } from '../../src/core/state/limits.ts'
import type { PriceBand } from '../../src/core/state/market.ts'
import { Unavailable } from '../../src/engine/commands.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import { EngineFixture, firstOperatorId, startEngine } from './engine-fixture.ts'

test('nothing is done while a node runs that could not read its events', async (t) => {
  const fixture = await EngineFixture.open()
  const { id: marketSerial } = await fixture.market()
  await fixture.stop()
  const store = await openSqliteStore({ folder: fixture.folder, onFatal: assert.fail })
  const now = () => fixture.time.now
  let eventForm: EventForm = 1
  const parts = { store: onlyShard(store), now, eventForm: () => eventForm }
  const engine = await startEngine(store, parts)
  t.after(async () => {
    await engine.stop()
    await store.close()
    await rm(fixture.folder, { recursive: true })
  })
  const tradingEndsAt = fixture.time.now + 1_000
  const change = () => {
    const command = { operatorId: firstOperatorId, marketSerial, tradingEndsAt, reason: 'Rain' }
    return engine.submit('changeTradingWindow', command)
  }
  await assert.rejects(change, Unavailable)
  assert.equal((await onlyShard(store).reads.market(marketSerial))?.tradingEndsAt, null)
  eventForm = 2
  assert.equal((await change()).isAccepted, true)
  const arm = { operatorId: firstOperatorId, playerId: null, timeoutMs: 60_000 }
  await assert.rejects(() => engine.submit('armDeadMan', arm), Unavailable)
  eventForm = 3
  assert.equal((await engine.submit('armDeadMan', arm)).isAccepted, true)
  const limit = (limits: Limits | null) =>
    engine.submit('changeControls', {
      operatorId: firstOperatorId,
      holder: { kind: 'PLAYER', operatorId: firstOperatorId, playerId: 'ann' },
      mode: 'OPEN',
      reason: null,
      until: null,
      limits,
      cancelsOrders: true,
    })
  await assert.rejects(() => limit({ maxOrderCost: 5 }), Unavailable)
  const edit = (priceBand: PriceBand | null) => {
    const changes = { priceBand }
    return engine.submit('editMarket', { operatorId: firstOperatorId, marketSerial, changes })
  }
  const band = { maxMove: 500, suspendOnBand: false }
  await assert.rejects(() => edit(band), Unavailable)
  assert.equal((await edit(null)).isAccepted, true, 'a market without a band')
  assert.equal((await limit(null)).isAccepted, true, 'a brake without limits')
  const group = { playerId: 'ann', limitShares: 100 as Shares, windowMs: 1_000 }
  const create = () => engine.submit('createOrderGroup', { operatorId: firstOperatorId, ...group })
  await assert.rejects(create, Unavailable)
  eventForm = 4
  assert.equal((await limit({ maxOrderCost: 5 })).isAccepted, true)
  assert.equal((await edit(band)).isAccepted, true)
  assert.deepEqual((await onlyShard(store).reads.market(marketSerial))?.priceBand, band)
  assert.equal((await create()).isAccepted, true)
})
