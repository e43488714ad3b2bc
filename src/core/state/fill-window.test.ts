// The window of an order group survives restarts, whatever was stored in its slots before.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FillWindow, type GroupFills } from './fill-window.ts'

/** What the store has: the latest entry of each slot. */
class Stored {
  readonly bySlot = new Map<number, GroupFills>()

  put(entry: GroupFills): void {
    this.bySlot.set(entry.slot, { ...entry })
  }

  reload(windowMs: number, now: number): FillWindow {
    const window = new FillWindow(windowMs)
    const counted = [...this.bySlot.values()].filter(({ time }) => time > now - windowMs)
    const inOrder = counted.sort((one, other) => one.time - other.time)
    window.restore(0, inOrder)
    return window
  }
}

test('a window that is loaded again never overwrites an entry that counts', () => {
  const windowMs = 10
  const stored = new Stored()
  let window = new FillWindow(windowMs)
  const times: number[] = []
  for (let now = 1; now <= 300; now += 1) {
    // Busy and quiet times, so that slots in use are not always the first ones.
    if (now % 40 > 25) continue
    if (now % 7 === 0) window = stored.reload(windowMs, now)
    times.push(now)
    const inWindow = window.add(now, now)
    stored.put(window.entryOf(now)!)
    const counted = times.filter((time) => time > now - windowMs)
    const sum = counted.reduce((total, time) => total + time, 0)
    assert.equal(inWindow, sum)
    assert.equal(stored.reload(windowMs, now).sharesAt(now), sum, `at ${now}`)
  }
  assert.ok(stored.bySlot.size <= windowMs + 1, `${stored.bySlot.size} slots are used`)
})
