// Calls back when a signal is aborted.

/** Returns a function that stops listening, so that a signal of a long life keeps nothing alive. */
export function onAbort(
  signal: AbortSignal | undefined,
  act: (reason: unknown) => void,
): () => void {
  if (signal === undefined) return () => undefined
  const listener = () => act(signal.reason)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
