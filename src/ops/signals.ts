// Being asked to stop: the first signal starts an orderly stop, which has a deadline; a second one
// does not wait for it.

/** What was answered stays stored however the process ends: leaving late is worse than rudely. */
const stopMax = 9_500

export type Stopping = {
  /** Ends with the work done and the connections closed. */
  readonly stop: () => Promise<void>
  readonly exit: (code: number) => void
}

export function onStopSignal({ stop, exit }: Stopping): void {
  let isStopping = false
  const begin = () => {
    if (isStopping) {
      exit(1)
      return
    }
    isStopping = true
    setTimeout(() => exit(1), stopMax).unref()
    stop().then(
      () => exit(0),
      () => exit(1),
    )
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
