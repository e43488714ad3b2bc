// Something that is asked for when a part of a page appears, and again when what it depends on
// changes. What was there stays in view meanwhile, so that nothing jumps.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isMissing } from './explain.ts'

export type Loaded<Data> = {
  readonly data: Data | null
  readonly error: unknown
  /** The service has no such route. */
  readonly isMissing: boolean
  readonly reload: () => void
}

type State<Data> = { readonly data: Data | null; readonly error: unknown }

/** `load` may answer null: there is nothing to ask for yet. */
export function useLoaded<Data>(
  load: () => Promise<Data> | null,
  depends: readonly unknown[],
): Loaded<Data> {
  const [state, setState] = useState<State<Data>>({ data: null, error: null })
  const latest = useRef(0)
  const reload = useCallback(() => {
    const mine = ++latest.current
    const isLatest = () => mine === latest.current
    const loading = load()
    if (loading === null) return
    loading.then(
      (data) => isLatest() && setState({ data, error: null }),
      (error) => isLatest() && setState((before) => ({ ...before, error })),
    )
  }, depends)
  useEffect(() => {
    reload()
    return () => {
      latest.current += 1
    }
  }, [reload])
  return { ...state, isMissing: isMissing(state.error), reload }
}

/** Calls at most once in a while, at the end of it: for what many events ask for. */
export function useCalm(call: () => void, waitMs: number): () => void {
  const timer = useRef<number | null>(null)
  const latest = useRef(call)
  latest.current = call
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
  return useCallback(() => {
    timer.current ??= window.setTimeout(() => {
      timer.current = null
      latest.current()
    }, waitMs)
  }, [waitMs])
}
