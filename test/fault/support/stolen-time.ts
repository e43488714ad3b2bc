// How much of the processors' time the host of a virtual machine gives to others. A service that
// has no processor is slow without a fault of its own.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const shareMax = 0.02
const sampleMs = 1_000
const samplesMax = 60

/** Waits until the host takes hardly any, at most a minute; returns for how many milliseconds. */
export async function untilHostIsQuiet(): Promise<number> {
  let before = readTimes()
  for (let samples = 1; ; samples += 1) {
    await delay(sampleMs)
    const now = readTimes()
    const isQuiet = now.stolen - before.stolen <= shareMax * (now.all - before.all)
    if (isQuiet || samples === samplesMax) return (samples - 1) * sampleMs
    before = now
  }
}

/** Of all processors since the start of the system; zero on systems other than Linux. */
function readTimes(): { readonly all: number; readonly stolen: number } {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    // Of users, nice, of the system, idle, waiting, interrupts of two kinds, stolen.
    const times = line.split(/\s+/).slice(1, 9).map(Number)
    return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 }
  } catch {
    return { all: 0, stolen: 0 }
  }
}
