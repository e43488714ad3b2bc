// A thread that waits for the tables is woken: otherwise it would only look from time to time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DerivedProgress } from './derived-progress.ts'

const changes: Readonly<Record<string, (progress: DerivedProgress) => void>> = {
  'are further': (progress) => progress.setDerived(1),
  'could not be derived': (progress) => progress.setFailed(),
  'are closed': (progress) => progress.setClosed(),
}

for (const [what, change] of Object.entries(changes)) {
  test(`a thread that waits is woken when the tables ${what}`, async () => {
    const progress = new DerivedProgress()
    const { value } = Atomics.waitAsync(progress.cells, 0, 0n, 1_000)
    change(progress)
    assert.equal(await value, 'ok')
  })
}
