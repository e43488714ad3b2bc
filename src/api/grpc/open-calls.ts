// The calls that are not answered yet: their number, and the duration of each.

import type { status } from '@grpc/grpc-js'
import type { GrpcContext } from './context.ts'

export class OpenCalls {
  readonly #metrics: GrpcContext['metrics']
  #count = 0
  #onIdle: (() => void) | null = null

  constructor(metrics: GrpcContext['metrics']) {
    this.#metrics = metrics
  }

  /** Counts a call until the returned function is called with its status. */
  begin(path: string): (code: status) => void {
    this.#count += 1
    const startedAt = performance.now()
    return (code) => {
      const seconds = (performance.now() - startedAt) / 1_000
      this.#metrics.request({ method: 'gRPC', route: path, status: code, seconds })
      this.#count -= 1
      if (this.#count === 0) this.#onIdle?.()
    }
  }

  /** Resolves when no call is open. */
  async idle(): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }
}
