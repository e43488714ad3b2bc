// What a process that was stopped itself does with frames that have waited for it.

import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Pulse, silenceMs } from './pulse.ts'

function stopProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('a frame that waited while the process was stopped breaks the link and is not read', () => {
  let silences = 0
  const pulse = new Pulse({ isLocal: false, beat: () => {}, onSilence: () => silences++ })
  equal(pulse.hear(), true)
  stopProcess(silenceMs + 10)
  equal(pulse.hear(), false)
  equal(silences, 1)
  pulse.stop()
})

test('between processes of one machine, a frame may wait for longer', () => {
  let silences = 0
  const pulse = new Pulse({ isLocal: true, beat: () => {}, onSilence: () => silences++ })
  stopProcess(silenceMs + 10)
  equal(pulse.hear(), true)
  equal(silences, 0)
  pulse.stop()
})
