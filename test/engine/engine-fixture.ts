// An engine on a real store in a folder of its own, with two operators, for tests that go behind
// the wire. The store can be made to fail at a chosen commit.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FeeRate, Price, Shares } from '../../src/core/money.ts'
import type { PlaceOrder, Result } from '../../src/engine/commands.ts'
import { Engine } from '../../src/engine/engine.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { OperatorRow, Store, Turn } from '../../src/store/store.ts'
import { usualRules } from '../support/core/steps.ts'

export const house = '01890000-0000-7000-8000-000000000001'
export const participant = '01890000-0000-7000-8000-000000000002'

/** Stands before the commit of the store: may let it through, fail it, or both. */
export type CommitGate = (turn: Turn, commit: (turn: Turn) => Promise<void>) => Promise<void>

export class House {
  readonly engine: Engine
  readonly store: Store
  readonly folder: string
  readonly time: { now: number }
  admission: CommitGate | null = null
  /** The codes that were counted. */
  readonly refusals: readonly string[]

  private constructor(parts: {
    engine: Engine
    store: Store
    folder: string
    time: { now: number }
    refusals: readonly string[]
  }) {
    this.engine = parts.engine
    this.store = parts.store
    this.folder = parts.folder
    this.time = parts.time
    this.refusals = parts.refusals
  }

  static async open(folder?: string): Promise<House> {
    const place = folder ?? (await mkdtemp(join(tmpdir(), 'outcry-engine-')))
    const real = await openSqliteStore({
      folder: place,
      onFatal: (error) => {
        throw error
      },
    })
    const time = { now: Date.UTC(2026, 0, 1) }
    const refusals: string[] = []
    if (folder === undefined) await addOperators(real, time.now)
    const opened: { house: House | null } = { house: null }
    const store = gated(real, () => opened.house?.admission ?? null)
    const engine = await Engine.start({
      store,
      rules: usualRules,
      now: () => time.now,
      log: { warn: () => undefined, error: () => undefined },
      metrics: {
        turn: () => undefined,
        queue: () => undefined,
        rebuilt: () => undefined,
        refused: (code) => refusals.push(code),
      },
    })
    opened.house = new House({ engine, store: real, folder: place, time, refusals })
    return opened.house
  }

  /** Stops, and opens again on the same folder. */
  async reopen(): Promise<House> {
    await this.stop()
    const again = await House.open(this.folder)
    again.time.now = Math.max(again.time.now, this.time.now)
    return again
  }

  async stop(): Promise<void> {
    await this.engine.stop()
    await this.store.close()
  }

  async close(): Promise<void> {
    await this.stop()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** An open market of the house, shared; its serial and those of its outcomes. */
  async market(): Promise<OpenMarket> {
    const { engine } = this
    const made = accepted(await engine.submit('createMarket', newMarket))
    const id = made.marketSerial
    accepted(await engine.submit('manage', { operatorId: house, marketSerial: id, action: 'open' }))
    const record = await this.store.reads.marketRecord(id)
    return { id, outcomes: record!.outcomes.map(({ serial }) => serial) }
  }

  mint(
    marketSerial: number,
    playerId: string,
    shares: number,
    transactionId: string | null = null,
  ) {
    return this.engine.submit('changeSets', {
      operatorId: house,
      marketSerial,
      kind: 'MINT',
      playerId,
      shares: (shares * 100) as Shares,
      transactionId,
    })
  }

  place(market: OpenMarket, order: Partial<PlaceOrder> = {}) {
    return this.engine.submit('place', { ...usualOrder(market), ...order })
  }
}

export const newMarket = {
  operatorId: house,
  title: 'Will it rain?',
  description: null,
  imageUrl: null,
  categoryId: null,
  metadata: null,
  tradingStartsAt: null,
  tradingEndsAt: null,
  currency: 'USD',
  outcomes: null,
  isShared: true,
  hasCompleteSetMatching: false,
}

export type OpenMarket = { readonly id: number; readonly outcomes: readonly number[] }

/** An order that rests, or meets one of its kind on the other side. */
export function usualOrder(market: OpenMarket): PlaceOrder {
  return {
    operatorId: house,
    marketSerial: market.id,
    outcomeSerial: market.outcomes[0]!,
    playerId: 'bob',
    side: 'BUY',
    type: 'LIMIT',
    shares: 1_000 as Shares,
    price: 5_000 as Price,
    expiresAt: null,
    options: 0,
    transactionId: null,
  }
}

/** One of its own, closed again whatever happens. */
export async function withHouse(use: (open: House) => Promise<void>): Promise<void> {
  const open = await House.open()
  try {
    await use(open)
  } finally {
    await open.close()
  }
}

export function accepted<Answer>(result: Result<Answer>): Answer {
  if (!result.isAccepted) throw new Error(`refused: ${result.reject.code}`)
  return result.answer
}

export function codeOf(result: Result<unknown>): string | null {
  return result.isAccepted ? null : result.reject.code
}

async function addOperators(store: Store, now: number): Promise<void> {
  const operators = [house, participant].map(
    (id, index): OperatorRow => ({
      id,
      number: index + 1,
      name: `operator ${index + 1}`,
      supportedCurrencies: ['USD'],
      feeRate: index === 0 ? null : (100 as FeeRate),
      isActive: true,
      createdAt: now,
      updatedAt: now,
    }),
  )
  for (const operator of operators) await store.registry.operators.put(operator)
}

function gated(store: Store, admission: () => CommitGate | null): Store {
  const { shard } = store
  const commit = (turn: Turn) => shard.commit(turn)
  return {
    ...store,
    reads: store.reads,
    registry: store.registry,
    close: () => store.close(),
    shard: {
      take: () => shard.take(),
      load: () => shard.load(),
      probe: () => shard.probe(),
      prune: (options) => shard.prune(options),
      commit: (turn) => admission()?.(turn, commit) ?? commit(turn),
    },
  }
}
