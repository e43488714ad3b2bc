// What an error of SQLite means: the disk is full, another process is writing, or the state of the
// file is unknown.

import { CommitFailure, StoreUnavailable } from '../store.ts'
import type { Meaning } from '../thread.ts'

/** The lowest byte of an extended code is the primary code. */
const primaryMask = 255
const wrongStatement = 1
const busy = 5
const readOnly = 8
const ioError = 10
const corrupt = 11
const full = 13
const cannotOpen = 14
const notADatabase = 26
/** An extended code of ioError. */
const noShm = ioError | (19 << 8)

/**
 * Committed turns cannot be brought into the tables. They may have been answered, so they can be
 * neither dropped nor repaired: the service has to end.
 */
export class CannotDerive extends Error {
  override readonly name = 'CannotDerive'
}

/** The primary result code, or null for an error that is not SQLite's. */
export function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode & primaryMask : null
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === full
}

/** Also if the file that SQLite maps into memory, which is made anew with each start, has none. */
export function needsSpace(error: unknown): boolean {
  return isFull(error) || (error instanceof Error && 'errcode' in error && error.errcode === noShm)
}

export function isBusy(error: unknown): boolean {
  return codeOf(error) === busy
}

export function isUnwritable(error: unknown): boolean {
  const code = codeOf(error)
  return code === readOnly || code === cannotOpen
}

/** Stored data is invalid. SQLite reports invalid JSON as an error of the statement. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code === wrongStatement || code === corrupt || code === notADatabase
}

/** Pages in memory may differ from those on disk: only a new process can tell. */
export function isFatal(error: unknown): boolean {
  const code = codeOf(error)
  if (code === ioError || code === corrupt || code === notADatabase) return true
  return code === wrongStatement && isTableGone(error)
}

/** About the files and not about what is written to them. */
export function isOfDisk(error: unknown): boolean {
  return isFull(error) || isBusy(error) || isUnwritable(error) || isFatal(error)
}

/** For the main thread. After a commit of unknown outcome, only a new process can tell. */
export function meaningOf(error: unknown): Meaning {
  const isUnknown = error instanceof CommitFailure && error.outcome === 'unknown'
  const isFatalError = isUnknown || isFatal(error) || error instanceof CannotDerive
  const isTemporary = error instanceof StoreUnavailable || isFull(error) || isBusy(error)
  const isUnavailable = isFatalError || isTemporary
  return { isUnavailable, isFull: isFull(error), isFatal: isFatalError }
}

/** Statements use only our own tables: if one is missing, the file was overwritten. */
function isTableGone(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('no such table')
}
