// The timers of the feed: what fails in one is reported, and ends nothing else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realTiming } from './timing.ts'

test('a timer that fails is reported, and a cancelled one does not run', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const failures: string[] = []
  const clock = { now: () => 0, wall: () => 0 }
  const timing = realTiming(clock, (edge, event, { error }) => {
    failures.push(`${edge}: ${event}: ${error}`)
  })
  timing.after(10, () => {
    throw new Error('broken')
  })
  timing.after(10, () => assert.fail('it was cancelled'))()
  context.mock.timers.tick(10)
  assert.deepEqual(failures, ['feed: timer failed: Error: broken'])
})
