// The audit of unfinished jobs, and of a store whose old events were pruned.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price, Shares } from '../../src/core/money.ts'
import { auditFolder } from '../../src/store/sqlite/audit/audit.ts'
import { answerOf, EngineFixture, firstOperatorId } from '../engine/engine-fixture.ts'
import { busyExchange } from './busy-exchange.ts'

/** More than one turn of a job can do, in three slices of a thousand. */
const many = 3_600

test('an unfinished settlement passes the audit', async () => {
  const open = await EngineFixture.open()
  try {
    const market = await open.market()
    const command = { operatorId: firstOperatorId, marketSerial: market.id }
    const minted = Array.from({ length: many / 2 }, (_, player) =>
      open.mint(market.id, `player-${player}`, 1),
    )
    for (const result of await Promise.all(minted)) answerOf(result)
    answerOf(await open.engine.submit('manage', { ...command, action: 'close' }))
    const winningOutcomeSerial = market.outcomes[1]!
    const resolution = { winningOutcomeSerial, source: 'the news', notes: null }
    answerOf(await open.engine.submit('manage', { ...command, action: 'resolve', ...resolution }))
    const { settlements, end } = await halfWay(open, () => open.engine.submit('settle', command))
    assert.ok(settlements > 0 && settlements < many, `${settlements} settlements`)
    await end()
    assert.equal((await auditFolder(open.folder)).counts.settlements, many)
    assert.deepEqual((await auditFolder(open.folder)).violations, [])
  } finally {
    await open.close()
  }
})

test('a market with half of its orders cancelled passes the audit', async () => {
  const open = await EngineFixture.open()
  try {
    const market = await open.market()
    const shares = 100 as Shares
    const placed = Array.from({ length: many }, (_, index) =>
      open.place(market, { shares, price: (100 + (index % 50) * 100) as Price }),
    )
    for (const result of await Promise.all(placed)) answerOf(result)
    const command = { operatorId: firstOperatorId, marketSerial: market.id }
    const cancel = { ...command, action: 'cancel', reason: 'Rained off.' } as const
    const { end } = await halfWay(open, () => open.engine.submit('manage', cancel))
    await end()
    assert.deepEqual((await auditFolder(open.folder)).violations, [])
  } finally {
    await open.close()
  }
})

test('a store with pruned events and turns passes the audit', async () => {
  const open = await busyExchange(9)
  try {
    const all = await auditFolder(open.folder)
    const before = Date.UTC(2026, 0, 1) + 5 * 60_000
    const command = {
      eventsBefore: before,
      batchesBefore: before,
      attemptsBefore: 0,
      atMost: 100_000,
    }
    await open.shard.prune(command)
    const kept = await auditFolder(open.folder)
    assert.ok(kept.counts.eventRecords > 0 && kept.counts.eventRecords < all.counts.eventRecords)
    assert.ok(kept.counts.turns > 0 && kept.counts.turns < all.counts.turns)
    assert.deepEqual(kept.violations, [])
  } finally {
    await open.close()
  }
})

// Holds back the second turn, audits what the first has stored, and releases it.
async function halfWay(open: EngineFixture, begin: () => Promise<unknown>) {
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let turns = 0
  const stored = new Promise<void>((resolve) => {
    open.commitHook = async (turn, commit) => {
      turns += 1
      const isFirst = turns === 1
      if (!isFirst) await held
      await commit(turn)
      if (isFirst) resolve()
    }
  })
  const begun = begin()
  await stored
  const { violations, counts } = await auditFolder(open.folder)
  assert.deepEqual(violations, [])
  const end = async () => {
    letGo()
    await begun
  }
  return { settlements: counts.settlements, end }
}
