// Runs the exchange and the naive model side by side over the steps of one seed, and compares their
// rejections and events after each step, and the whole state after some of them.

import assert from 'node:assert/strict'
import { CoreSubject } from './core-subject.ts'
import { Generator } from './generate.ts'
import { Model } from './model.ts'
import type { Result, Step, TestEvent } from './step.ts'

export type Run = { readonly seed: number; readonly steps: number }
export type Outcome = { readonly events: number; readonly rejected: number; readonly hash: string }

/** Steps between two comparisons of the whole state, which cost more than all the rest. */
const viewEvery = 5
/** Steps after which the memory of the exchange is rebuilt from its records. */
const rebuildEvery = 97
/** The same while a brake cancels orders, which no other step waits for. */
const rebuildSweepEvery = 7

export class Difference extends Error {
  override readonly name = 'Difference'
}

/** Throws a Difference with the seed and the step if the two differ. */
export function simulate({ seed, steps }: Run): Outcome {
  const generator = new Generator(seed)
  const model = new Model(generator.setup)
  const core = new CoreSubject(generator.setup)
  const ids = new Pairing()
  let events = 0
  let rejected = 0
  for (let number = 1; number <= steps; number += 1) {
    const { step, now } = generator.next(model)
    try {
      const expected = model.step(step, now)
      const actual = core.step(step, now)
      compare(expected, actual, ids)
      events += actual.events.length
      rejected += actual.reject === null ? 0 : 1
      if (number % viewEvery === 0 || number === steps) {
        assert.deepEqual(core.view(now), model.view(now), 'the same state')
      }
      const every = model.isSweeping ? rebuildSweepEvery : rebuildEvery
      if (number % every === 0) {
        core.rebuild()
        model.rebuild()
      }
    } catch (cause) {
      throw differenceAt({ seed, steps: number }, step, cause)
    }
  }
  try {
    const paid = model.fees().map(({ total }) => total)
    const charged = paid.map((_, operator) => core.fees()[operator] ?? 0n)
    assert.deepEqual(charged, paid, 'the same fees')
  } catch (cause) {
    throw differenceAt({ seed, steps }, 'the sum of all fees', cause)
  }
  return { events, rejected, hash: core.hash }
}

function compare(expected: Result, actual: Result, ids: Pairing): void {
  assert.equal(actual.reject, expected.reject, 'the same rejection')
  const [actualEvents, expectedEvents] = [byOperator(actual), byOperator(expected)]
  const types = (events: readonly TestEvent[]) =>
    events.map(({ operator, sequence, eventType }) => `${operator} ${sequence} ${eventType}`)
  assert.deepEqual(types(actualEvents), types(expectedEvents), 'the same events')
  for (const [at, event] of actualEvents.entries()) {
    const twin = expectedEvents[at]!
    assert.equal(event.createdAt, twin.createdAt)
    assert.deepEqual(ids.translate(event.payload, twin.payload), twin.payload, event.eventType)
  }
}

// Only the order of the events of each operator is defined, and not which of two brakes that end at
// the same time is told first.
function byOperator({ events }: Result): readonly TestEvent[] {
  const sorted = [...events].sort((a, b) => a.operator - b.operator)
  for (const [from] of sorted.entries()) {
    for (let at = from; at > 0 && areEndsToSwap(sorted[at - 1]!, sorted[at]!); at -= 1) {
      const [first, second] = [sorted[at - 1]!, sorted[at]!]
      sorted[at - 1] = { ...first, payload: second.payload }
      sorted[at] = { ...second, payload: first.payload }
    }
  }
  return sorted
}

function areEndsToSwap(first: TestEvent, second: TestEvent): boolean {
  const areEnds = [first, second].every(
    ({ eventType, payload }) => eventType === 'CONTROLS_CHANGED' && payload.mode === 'OPEN',
  )
  const [one, other] = [String(first.payload.playerId), String(second.payload.playerId)]
  return areEnds && first.operator === second.operator && one > other
}

function differenceAt(run: Run, step: Step | string, cause: unknown): Difference {
  const message = cause instanceof Error ? cause.message : String(cause)
  const replay = `npm run sim -- ${run.seed} --steps ${run.steps}`
  const where = `Seed ${run.seed}, step ${run.steps}: ${JSON.stringify(step, shortened)}`
  return new Difference(`${where}\n${message}\nReplay it with: ${replay}`, { cause })
}

function shortened(_: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= 100) return value
  return `${value.slice(0, 10)}... (${value.length} characters)`
}

/** Maps the ids of the exchange to those of the model: each pair must always be the same. */
class Pairing {
  readonly #modelOf = new Map<string, string>()
  readonly #coreOf = new Map<string, string>()

  /** The payload of the exchange with the ids of the model. */
  translate(actual: unknown, expected: unknown, field = ''): unknown {
    if (Array.isArray(actual)) {
      const twins = Array.isArray(expected) ? expected : []
      return actual.map((item, at) => this.translate(item, twins[at], field))
    }
    if (actual !== null && typeof actual === 'object') {
      const twin = (expected ?? {}) as Record<string, unknown>
      const fields = Object.entries(actual)
      return Object.fromEntries(
        fields.map(([key, item]) => [key, this.translate(item, twin[key], key)]),
      )
    }
    const isId = /(^id|Id)$/.test(field) && field !== 'playerId'
    if (!isId || typeof actual !== 'string' || typeof expected !== 'string') return actual
    if (!this.#modelOf.has(actual) && !this.#coreOf.has(expected)) {
      this.#modelOf.set(actual, expected)
      this.#coreOf.set(expected, actual)
    }
    return this.#modelOf.get(actual) ?? actual
  }
}
