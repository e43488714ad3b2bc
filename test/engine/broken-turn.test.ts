// A command that breaks an invariant takes those down that were decided with it, and nobody else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price, Shares } from '../../src/core/money.ts'
import { type PlaceOrder, Unavailable } from '../../src/engine/commands.ts'
import { accepted, type House, type OpenMarket, usualOrder, withHouse } from './engine-fixture.ts'

/** Enough to expire for several turns. */
const many = 1_000

/** As if the rules had met a state that cannot be. */
function brokenOrder(market: OpenMarket): PlaceOrder {
  return {
    ...usualOrder(market),
    get price(): Price {
      throw new Error('broken')
    },
  }
}

function withMarket(use: (open: House, market: OpenMarket) => Promise<void>): Promise<void> {
  return withHouse(async (open) => use(open, await open.market()))
}

test('who breaks a turn hears so, who was decided before is refused, who comes after is not', () =>
  withMarket(async (open, market) => {
    const before = open.place(market)
    const breaking = open.engine.submit('place', brokenOrder(market))
    const after = [open.place(market), open.place(market)]
    await assert.rejects(before, Unavailable)
    await assert.rejects(breaking, { message: 'broken' })
    for (const order of after) assert.equal(accepted(await order).order.status, 'PENDING')
    assert.equal([...open.engine.records().orders].length, after.length)
  }))

test('who is held for a late market is refused with the turn', () =>
  withMarket(async (open, late) => {
    const expiresAt = open.time.now + 1_000
    const one = { expiresAt, shares: 100 as Shares }
    await Promise.all(Array.from({ length: many }, () => open.place(late, one)))
    const other = await open.market()
    open.time.now = expiresAt
    const held = open.place(late)
    const breaking = open.engine.submit('place', brokenOrder(other))
    await assert.rejects(held, Unavailable)
    await assert.rejects(breaking, { message: 'broken' })
    accepted(await open.place(late))
  }))

test('who breaks a turn before or behind the rules hears so, too', () =>
  withMarket(async (open, market) => {
    const nobody = '01890000-0000-7000-8000-00000000dead'
    const unknown = open.place(market, { operatorId: nobody, transactionId: 'bet-1' })
    await assert.rejects(unknown, /whoever asks is known/)
    let reads = 0
    const keptWrongly = {
      ...usualOrder(market),
      transactionId: 'bet-2',
      // The rules read it once; then it is read for the key.
      get expiresAt(): null {
        reads += 1
        if (reads > 1) throw new Error('broken')
        return null
      },
    }
    await assert.rejects(open.engine.submit('place', keptWrongly), { message: 'broken' })
    accepted(await open.place(market))
  }))
