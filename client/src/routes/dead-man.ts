// Dead-man switches: arm, renew, read and clear them, or keep one alive for as long as a program
// runs.

import { isOutcryError, OutcryError } from '../errors.ts'
import type { ArmDeadMan } from '../generated/wire.ts'
import { isTemporary, pause } from '../retry.ts'
import type { CallOptions, Transport } from '../transport.ts'

/** So many renewals fit into a timeout: two may be lost. */
const renewalsPerTimeout = 3
/** After a renewal that has failed. */
const retryWaitMs = 100

export type KeepAliveOptions = {
  /** Ends it: the switch is cleared then. */
  readonly signal: AbortSignal
  /** Called once, when the switch is armed: orders are protected from now on. */
  readonly onArmed?: () => void
}

export class DeadManSwitch {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Arms or renews it; without a playerId, that of the whole operator. */
  arm(body: ArmDeadMan, options?: CallOptions) {
    const request = { body, retry: 'ALWAYS' } as const
    return this.#transport.call('PUT /api/v1/dead-man', request, options)
  }

  get(playerId?: string, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/dead-man', { query: { playerId } }, options)
  }

  /** Also one that was triggered. */
  clear(playerId?: string, options?: CallOptions) {
    return this.#transport.call('DELETE /api/v1/dead-man', { query: { playerId } }, options)
  }

  /**
   * Arms the switch and renews it until the signal is aborted; clears it then and returns. Throws
   * DEAD_MAN_TRIGGERED if a renewal came too late: the orders are cancelled then. To arm the switch
   * again, and to place orders again, is left to the caller.
   */
  async keepAlive(body: ArmDeadMan, { signal, onArmed }: KeepAliveOptions): Promise<void> {
    const { playerId, timeoutMs } = body
    if (signal.aborted) return
    // The service counts from the arrival of a request, which is not before it was sent.
    let sentAt = performance.now()
    let armed = await this.arm(body, { signal }).catch(unlessAborted(signal))
    if (armed !== null) onArmed?.()
    let waitMs = timeoutMs / renewalsPerTimeout
    while (armed !== null && (await hasPassed(waitMs, signal))) {
      const now = performance.now()
      const leftMs = sentAt + timeoutMs - now
      if (leftMs <= 0) throw tooLate()
      try {
        const options = { signal, retryMs: 0, timeoutMs: Math.ceil(leftMs) }
        const renewed = await this.arm(body, options)
        // By the clock of the service, which is the one that counts.
        if (Date.parse(renewed.deadline) - timeoutMs >= Date.parse(armed.deadline)) throw tooLate()
        armed = renewed
        sentAt = now
        waitMs = timeoutMs / renewalsPerTimeout
      } catch (error) {
        if (!signal.aborted && !isTemporary(error)) throw error
        waitMs = Math.min(retryWaitMs, timeoutMs / renewalsPerTimeout)
      }
    }
    await this.#clearIfThere(playerId)
  }

  async #clearIfThere(playerId: string | undefined): Promise<void> {
    try {
      await this.clear(playerId)
    } catch (error) {
      if (!isOutcryError(error, 'NOT_FOUND')) throw error
    }
  }
}

function tooLate(): OutcryError {
  return new OutcryError({
    code: 'DEAD_MAN_TRIGGERED',
    message: 'The dead-man switch was not renewed by its deadline.',
  })
}

/** Whether the time has passed before the signal was aborted. */
async function hasPassed(ms: number, signal: AbortSignal): Promise<boolean> {
  await pause(ms, signal).catch(unlessAborted(signal))
  return !signal.aborted
}

function unlessAborted(signal: AbortSignal): (error: unknown) => null {
  return (error) => {
    if (signal.aborted) return null
    throw error
  }
}
