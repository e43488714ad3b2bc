// Writes to the registry by a node of a cluster, over a connection of its own. The version is the
// fence: a write that was decided on an earlier one is not stored.

import { RegistryBehind } from '../registry-store.ts'
import type { Reading } from '../sql/reading.ts'
import { CommitFailure, StoreUnavailable } from '../store.ts'
import { answerOf } from './answer.ts'
import { type Client, inTransaction } from './connection.ts'
import { reasonOf } from './failure-text.ts'
import { isLost, isRolledBack } from './failures.ts'
import { type RegistryWrite, storeWrite } from './registry-store.ts'
import { WriteConnection } from './write-connection.ts'

const retryForMs = 4_000
const retryAfterMs = 100

export class RegistryWriter {
  readonly #connection: WriteConnection
  readonly #incarnation: string

  constructor(url: string, incarnation: string) {
    this.#connection = new WriteConnection(url, null)
    this.#incarnation = incarnation
  }

  /**
   * Returns the new version. Throws RegistryBehind, StoreUnavailable if nothing is stored, and
   * CommitFailure if the outcome is unknown.
   */
  async write(write: RegistryWrite): Promise<number> {
    const deadline = performance.now() + retryForMs
    let mayBeStored = false
    for (;;) {
      try {
        return await this.#connection.call((client) => this.#once(client, write, mayBeStored))
      } catch (cause) {
        if (cause instanceof RegistryBehind || isRolledBack(cause)) throw cause
        if (!(isLost(cause) || cause instanceof StoreUnavailable)) throw cause
        mayBeStored ||= !(cause instanceof StoreUnavailable)
        // A write that states no version could be stored twice.
        const isLast = write.decidedOn === undefined || this.#connection.isClosed
        if (isLast || performance.now() > deadline) throw failureOf(cause, mayBeStored)
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
      }
    }
  }

  /** Any other write to the home schema, which may be repeated. Throws StoreUnavailable. */
  async run<Answer>(writing: () => Reading<Answer>): Promise<Answer> {
    const deadline = performance.now() + retryForMs
    for (;;) {
      try {
        return await this.#connection.call((client) =>
          inTransaction(client, () => answerOf(client, null, writing())),
        )
      } catch (cause) {
        if (!(isLost(cause) || cause instanceof StoreUnavailable)) throw cause
        if (this.#connection.isClosed) throw cause
        if (performance.now() > deadline) {
          throw new StoreUnavailable(`The record was not stored: ${reasonOf(cause)}.`, { cause })
        }
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
      }
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  #once(client: Client, write: RegistryWrite, mayBeStored: boolean): Promise<number> {
    return inTransaction(client, async () => {
      const { rows } = await client.query<{ version: number }>(
        'SELECT version FROM registry FOR UPDATE',
      )
      const version = Number(rows[0]?.version)
      const { decidedOn = version } = write
      if (version !== decidedOn) {
        if (mayBeStored && (await this.#hasWritten(client, decidedOn + 1))) return decidedOn + 1
        throw new RegistryBehind(decidedOn, version)
      }
      return answerOf(client, null, storeWrite(write, this.#incarnation))
    })
  }

  // A process decides its next write on the version of the one before, so that a version has at
  // most one write of it.
  async #hasWritten(client: Client, version: number): Promise<boolean> {
    const { rowCount } = await client.query(
      'SELECT 1 FROM registry_changes WHERE version = $1 AND incarnation = $2',
      [version, this.#incarnation],
    )
    return (rowCount ?? 0) > 0
  }
}

function failureOf(cause: unknown, mayBeStored: boolean): Error {
  const reason = reasonOf(cause)
  if (!mayBeStored) {
    return new StoreUnavailable(`The record was not stored: ${reason}.`, { cause })
  }
  const message = `It is not known whether the record was stored: ${reason}.`
  return new CommitFailure(message, { outcome: 'unknown', cause })
}
