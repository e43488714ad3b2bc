// An engine with a SQLite store in a temporary folder and two operators, for tests that call the
// engine directly. Tests can delay commits or make them fail.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presentForm } from '../../src/core/events/events.ts'
import type { Serial } from '../../src/core/ids.ts'
import type { FeeRate, Price, Shares } from '../../src/core/money.ts'
import type { PlaceOrder, Result } from '../../src/engine/commands.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineOptions } from '../../src/engine/options.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import {
  CommitFailure,
  type OperatorRow,
  type ShardStore,
  type Store,
  type Turn,
} from '../../src/store/store.ts'
import { usualRules } from '../support/core/steps.ts'
import { onlyShard } from '../support/store/only-shard.ts'

export const firstOperatorId = '01890000-0000-7000-8000-000000000001'
export const otherOperatorId = '01890000-0000-7000-8000-000000000002'

/** Called in place of the store's commit: may call it, fail, or both. */
export type CommitHook = (turn: Turn, commit: (turn: Turn) => Promise<void>) => Promise<void>

/** Called when a committed turn or the queue is measured; may fail. */
export type MeasureHook = (what: 'turn' | 'queue') => void

export class EngineFixture {
  readonly engine: Engine
  readonly store: Store
  readonly folder: string
  readonly time: { now: number }
  /** The codes that the engine's metrics counted. */
  readonly rejections: readonly string[]
  /** The failures that the engine reported. */
  readonly failures: readonly string[]
  readonly #commits: { hook: CommitHook | null }
  readonly #measures: { hook: MeasureHook | null }

  private constructor(parts: {
    engine: Engine
    store: Store
    folder: string
    time: { now: number }
    rejections: readonly string[]
    failures: readonly string[]
    commits: { hook: CommitHook | null }
    measures: { hook: MeasureHook | null }
  }) {
    this.engine = parts.engine
    this.store = parts.store
    this.folder = parts.folder
    this.time = parts.time
    this.rejections = parts.rejections
    this.failures = parts.failures
    this.#commits = parts.commits
    this.#measures = parts.measures
  }

  set commitHook(hook: CommitHook | null) {
    this.#commits.hook = hook
  }

  set measureHook(hook: MeasureHook | null) {
    this.#measures.hook = hook
  }

  static async open(
    folder?: string,
    changed: (shard: ShardStore) => ShardStore = (shard) => shard,
  ): Promise<EngineFixture> {
    const storeFolder = folder ?? (await mkdtemp(join(tmpdir(), 'outcry-engine-')))
    const store = await openSqliteStore({
      folder: storeFolder,
      onFatal: (error) => {
        throw error
      },
    })
    const time = { now: Date.UTC(2026, 0, 1) }
    const rejections: string[] = []
    const failures: string[] = []
    if (folder === undefined) await addOperators(store, time.now)
    const commits = { hook: null }
    const measures: { hook: MeasureHook | null } = { hook: null }
    const engine = await startEngine(store, {
      store: changed(withCommitHook(onlyShard(store), commits)),
      now: () => time.now,
      reportFailure: (edge, event) => failures.push(`${edge}: ${event}`),
      metrics: {
        turn: () => measures.hook?.('turn'),
        queue: () => measures.hook?.('queue'),
        rebuilt: () => undefined,
        rejected: (code) => rejections.push(code),
      },
    })
    return new EngineFixture({
      engine,
      store,
      folder: storeFolder,
      time,
      rejections,
      failures,
      commits,
      measures,
    })
  }

  get shard(): ShardStore {
    return onlyShard(this.store)
  }

  /** Stops, and starts again with the same folder. */
  async reopen(changed?: (shard: ShardStore) => ShardStore): Promise<EngineFixture> {
    await this.stop()
    const again = await EngineFixture.open(this.folder, changed)
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

  /** A shared market of the first operator that is OPEN. */
  async market(): Promise<OpenMarket> {
    const { engine } = this
    const made = answerOf(await engine.submit('createMarket', newMarket))
    const id = made.marketSerial
    answerOf(
      await engine.submit('manage', {
        operatorId: firstOperatorId,
        marketSerial: id,
        action: 'open',
      }),
    )
    const record = await this.shard.reads.marketRecord(id)
    return { id, outcomes: record!.outcomes.map(({ serial }) => serial) }
  }

  mint(
    marketSerial: Serial,
    playerId: string,
    shares: number,
    transactionId: string | null = null,
  ) {
    return this.engine.submit('changeSets', {
      operatorId: firstOperatorId,
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
  operatorId: firstOperatorId,
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

export type OpenMarket = { readonly id: Serial; readonly outcomes: readonly Serial[] }

/** A LIMIT BUY order of 10 shares at 0.50. */
export function usualOrder(market: OpenMarket): PlaceOrder {
  return {
    operatorId: firstOperatorId,
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

/** Opens a fixture for one test and closes it, also when the test fails. */
/** With the options that matter to a test. */
export function startEngine(
  { isAnswering }: Pick<Store, 'isAnswering'>,
  options: Pick<EngineOptions, 'store' | 'now'> & Partial<EngineOptions>,
): Promise<Engine> {
  return Engine.start({
    isStoreAnswering: () => isAnswering(),
    rules: usualRules,
    eventForm: () => presentForm,
    log: { warn: () => undefined, error: () => undefined },
    reportFailure: () => undefined,
    metrics: {
      turn: () => undefined,
      queue: () => undefined,
      rebuilt: () => undefined,
      rejected: () => undefined,
    },
    ...options,
  })
}

export async function withEngine(use: (fixture: EngineFixture) => Promise<void>): Promise<void> {
  const fixture = await EngineFixture.open()
  try {
    await use(fixture)
  } finally {
    await fixture.close()
  }
}

export function answerOf<Answer>(result: Result<Answer>): Answer {
  if (!result.isAccepted) throw new Error(`rejected: ${result.reject.code}`)
  return result.answer
}

export function codeOf(result: Result<unknown>): string | null {
  return result.isAccepted ? null : result.reject.code
}

/** Commits one turn, and fails those after it once that is done. */
export function onlyTheFirst(): CommitHook {
  let first: Promise<void> | null = null
  return async (turn, commit) => {
    if (first !== null) {
      await first
      throw new CommitFailure('planted', { outcome: 'aborted' })
    }
    first = commit(turn)
    await first
  }
}

async function addOperators(store: Store, now: number): Promise<void> {
  const operators = [firstOperatorId, otherOperatorId].map(
    (id, index): OperatorRow => ({
      id,
      number: index + 1,
      shard: 0,
      name: `operator ${index + 1}`,
      supportedCurrencies: ['USD'],
      feeRate: index === 0 ? null : (100 as FeeRate),
      feeSchedule: null,
      isActive: true,
      createdAt: now,
      updatedAt: now,
    }),
  )
  for (const operator of operators) await store.registry.operators.put(operator)
}

function withCommitHook(
  shard: ShardStore,
  commits: { readonly hook: CommitHook | null },
): ShardStore {
  const commit = (turn: Turn) => shard.commit(turn)
  // Tests replace the claim of the store.
  const claim = () => shard.claim()
  return { ...shard, claim, commit: (turn) => commits.hook?.(turn, commit) ?? commit(turn) }
}
