// The signals that end a demo: Ctrl-C, a termination, or the end of the terminal.

/** A terminal signals the whole process group, and npm forwards the signal once more. */
const sameSignalMs = 1_000

/** Resolves on the first signal. One that follows later ends the program at once. */
export function signalled(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let firstAt: number | null = null
  const onSignal = () => {
    if (firstAt !== null && performance.now() - firstAt > sameSignalMs) process.exit(1)
    firstAt ??= performance.now()
    resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  return promise
}
