// SIGTERM and SIGINT: the first starts an orderly stop with a deadline, a later one exits at once.

/** Everything answered is durable, so the process may exit before all work has ended. */
const stopMaxMs = 9_500
/** A terminal signals the whole process group, and npm forwards the signal once more. */
const sameSignalMs = 1_000

export type Stopping = {
  /** Resolves when the work is done and the connections are closed. */
  readonly stop: () => Promise<void>
  readonly exit: (code: number) => void
}

/** Returns what a signal does, for a stop by other means. */
export function onStopSignal({ stop, exit }: Stopping): () => void {
  let startedAt: number | null = null
  const onSignal = () => {
    if (startedAt !== null) {
      if (performance.now() - startedAt > sameSignalMs) exit(1)
      return
    }
    startedAt = performance.now()
    setTimeout(() => exit(1), stopMaxMs).unref()
    stop().then(
      () => exit(0),
      () => exit(1),
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return onSignal
}
