// The frames of the browser.

import { Frames } from './frames.ts'

/** A hidden page has no frames; it goes on at this pace. */
const hiddenMs = 1_000

export const frames = new Frames((onFrame) => {
  const frame = requestAnimationFrame(onFrame)
  const timer = setTimeout(onFrame, hiddenMs)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
})
