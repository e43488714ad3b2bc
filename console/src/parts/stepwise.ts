// A list whose rows are replaced, a few in a frame: on a busy feed, all at once take too long.

import { useEffect, useState } from 'preact/hooks'
import { frames } from '../live/browser-frames.ts'
import { nextStep, type Row } from './next-step.ts'

/** What is shown now, until it is these items. */
export function useStepwise<Item extends Row>(items: readonly Item[]): readonly Item[] {
  const [shown, setShown] = useState(items)
  useEffect(() => {
    if (shown === items) return
    let isLatest = true
    frames.next(() => {
      if (isLatest) setShown(nextStep(shown, items))
    })
    return () => {
      isLatest = false
    }
  }, [items, shown])
  return shown
}
