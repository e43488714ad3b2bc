// Loads data when a component appears, and again when its dependencies change. The previous data
// stays visible meanwhile.

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

/** `load` returns null while there is nothing to load. */
export function useLoaded<Data>(
  load: () => Promise<Data> | null,
  depends: readonly unknown[],
): Loaded<Data> {
  const [state, setState] = useState<State<Data>>({ data: null, error: null })
  const latest = useRef(0)
  const reload = useCallback(() => {
    const number = ++latest.current
    const isLatest = () => number === latest.current
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

/** Calls at most once per `waitMs`, at its end; for reloads that many events trigger. */
export function useThrottled(call: () => void, waitMs: number): () => void {
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

/** Calls every `periodMs` while the component is shown. */
export function usePolling(call: () => void, periodMs: number): void {
  useEffect(() => {
    const timer = setInterval(call, periodMs)
    return () => clearInterval(timer)
  }, [call, periodMs])
}
