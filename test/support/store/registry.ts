// A registry for tests, on a store in memory and with a clock that the test sets.

import assert from 'node:assert/strict'
import { Registry } from '../../../src/registry/registry.ts'
import { isReject, type RegistryReject } from '../../../src/registry/reject.ts'
import type { OperatorRow } from '../../../src/store/store.ts'
import { MemoryRegistryStore } from './registry-store.ts'

export class TestRegistry {
  readonly store = new MemoryRegistryStore()
  /** What the engine was told, in order. */
  readonly told: OperatorRow[] = []
  /** The webhooks that were told of, in order. */
  readonly toldWebhooks: string[] = []
  /** How often the engine fails to hear it. */
  deafFor = 0
  now = Date.UTC(2026, 0, 1)

  /** As after a start; several may stand on the same store. */
  async open({ allowInsecureWebhooks = false, secretKey = new Uint8Array(32).fill(7) } = {}) {
    const registry = await Registry.open({
      store: this.store,
      now: () => this.now,
      secretKey,
      onOperatorStored: async (operator) => {
        if (this.deafFor > 0) {
          this.deafFor -= 1
          throw new Error('The engine is not there.')
        }
        this.told.push(operator)
      },
      allowInsecureWebhooks,
    })
    registry.listen({
      onWebhookChanged: async (id) => {
        this.toldWebhooks.push(id)
      },
    })
    return registry
  }
}

/** What was made; fails where it was refused. */
export function made<Answer>(answer: Answer | RegistryReject): Answer {
  if (isReject(answer)) assert.fail(`refused: ${JSON.stringify(answer)}`)
  return answer
}

export async function newOperator(registry: Registry, name = 'house') {
  return made(
    await registry.operators.create({ name, supportedCurrencies: ['USD'], feeRate: null }),
  )
}
