// Being asked to stop: the first signal starts an orderly stop, which has a deadline; a later one
// does not wait for it.

/** What was answered stays stored however the process ends: leaving late is worse than rudely. */
const stopMax = 9_500
/** npm passes on what a terminal has sent to all of its group already: that is the same signal. */
const sameSignalMs = 1_000

export type Stopping = {
  /** Ends with the work done and the connections closed. */
  readonly stop: () => Promise<void>
  readonly exit: (code: number) => void
}

export function onStopSignal({ stop, exit }: Stopping): void {
  let begunAt: number | null = null
  const begin = () => {
    if (begunAt !== null) {
      if (performance.now() - begunAt > sameSignalMs) exit(1)
      return
    }
    begunAt = performance.now()
    setTimeout(() => exit(1), stopMax).unref()
    stop().then(
      () => exit(0),
      () => exit(1),
    )
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
