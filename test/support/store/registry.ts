// A registry for tests, on a store in memory and with a clock that the test sets.

import assert from 'node:assert/strict'
import { Registry } from '../../../src/registry/registry.ts'
import { isReject, type RegistryReject } from '../../../src/registry/reject.ts'
import type { BrakeRow, OperatorRow } from '../../../src/store/store.ts'
import { MemoryRegistryStore } from './registry-store.ts'

export class TestRegistry {
  readonly store = new MemoryRegistryStore()
  /** The operators that the engine received, in order. */
  readonly engineOperators: OperatorRow[] = []
  /** The brakes on the exchange that the engine received, in order. */
  readonly engineBrakes: BrakeRow[] = []
  /** The ids of webhooks whose change was reported, in order. */
  readonly changedWebhooks: string[] = []
  /** How often the engine fails to accept an operator. */
  engineFailures = 0
  now = Date.UTC(2026, 0, 1)
  readonly #shardCount: number

  constructor({ shardCount = 1 } = {}) {
    this.#shardCount = shardCount
  }

  /** Several registries can be opened on the same store. */
  async open({
    allowInsecureWebhooks = false,
    secretKey = new Uint8Array(32).fill(7),
    shardCount = this.#shardCount,
  } = {}) {
    const registry = await Registry.open({
      store: this.store,
      now: () => this.now,
      shardCount,
      secretKey,
      onOperatorStored: async (operator) => {
        if (this.engineFailures > 0) {
          this.engineFailures -= 1
          throw new Error('engine unavailable')
        }
        this.engineOperators.push(operator)
      },
      onBrakeStored: (brake) => this.engineBrakes.push(brake),
      allowInsecureWebhooks,
    })
    registry.listen({
      onWebhookChanged: async (id) => {
        this.changedWebhooks.push(id)
      },
    })
    return registry
  }
}

/** The created record; fails the test if it was rejected. */
export function made<Answer>(answer: Answer | RegistryReject): Answer {
  if (isReject(answer)) assert.fail(`rejected: ${JSON.stringify(answer)}`)
  return answer
}

export async function newOperator(registry: Registry, name = 'house') {
  return made(
    await registry.operators.create({ name, supportedCurrencies: ['USD'], feeRate: null }),
  )
}
